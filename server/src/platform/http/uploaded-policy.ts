/** `content-security-policy` of bytes that came from outside: shown by themselves, and nothing in them runs or loads. */
export const UPLOADED_POLICY = "sandbox; default-src 'none'";
