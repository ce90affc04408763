export const ads = {} as const;
