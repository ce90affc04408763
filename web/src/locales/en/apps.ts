export const apps = {} as const;
