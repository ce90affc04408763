import { expect, test } from 'vitest';
import { isScanTarget, SCAN_TARGET_MAX } from './scan-target.ts';

test.each([
  'https://example.com',
  'http://example.com/offer?id=7#now',
  'https://shop.example.co.uk:443/',
  'HTTPS://Example.com',
  'https://bücher.example/angebot',
])('%s is a public address', (text) => {
  expect(isScanTarget(text)).toBe(true);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,hello',
  'ftp://example.com',
  'file:///etc/passwd',
  'tel:+4930123456',
  '//example.com',
  'https:example.com',
  'example.com',
  '',
  'https://',
  'http://localhost',
  'http://localhost./',
  'http://printer',
  'http://nas.local/',
  'http://wiki.internal',
  'http://router.lan',
  'http://127.0.0.1',
  'http://127.1',
  'http://2130706433',
  'http://0x7f000001',
  'http://0177.0.0.1',
  'http://192.168.1.1/admin',
  'http://10.0.0.8',
  'http://169.254.169.254/latest/meta-data',
  'http://8.8.8.8',
  'http://[::1]/',
  'http://[fe80::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[2001:db8::1]/',
  'http://１２７.０.０.１',
  'https://user@example.com',
  'https://user:secret@example.com',
  'https://example.com:8080',
  'http://example.com:443',
  'https://example.com\\@evil.example',
  'https://exam ple.com',
  'java\nscript:alert(1)',
  'https://example.com/a\tb',
  `https://example.com/${'a'.repeat(SCAN_TARGET_MAX)}`,
  `https://example.com/${'ü'.repeat(200)}`,
])('%s is none', (text) => {
  expect(isScanTarget(text)).toBe(false);
});
