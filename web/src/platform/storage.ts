/** Keys in the browser's storage; `lang` alone is without the product's prefix. */
const PREFIX = 'ams_';
const TOKEN = `${PREFIX}token`;
/** The batch that this person began and whose result it has not seen. */
const BATCH = `${PREFIX}batch`;
/** Names and addresses of uploads that were not finished. */
export const UPLOADS_SETTING = 'uploads';
const LANG = 'lang';

/** The two storages and the clock, passed in so that the rules can be tested without a browser. */
export interface Storages {
  local: Storage;
  session: Storage;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface StoredToken {
  token: string;
  /** Epoch seconds. */
  expires: number;
  /** Id of the person whose session it is; an earlier version of the app left it out. */
  person?: string;
}

const isStoredToken = (value: unknown): value is StoredToken =>
  typeof value === 'object' &&
  value !== null &&
  'token' in value &&
  typeof value.token === 'string' &&
  'expires' in value &&
  typeof value.expires === 'number';

function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `intents`: calls whose answers the page of this tab did not get before it was loaded again, by name. */
export type Mirrored = 'role' | 'superior' | 'current' | 'person' | 'intents';

/** Values stored in the browser. Damaged values are treated as missing. */
export function makeStorage({ local, session, now }: Storages) {
  /** Removes what belongs to a person in this tab: what responses said of it, and forms that were not saved. */
  const forgetTab = (): void =>
    Array.from({ length: session.length }, (_, index) => session.key(index) ?? '')
      .filter((key) => key.startsWith(PREFIX))
      .forEach((key) => session.removeItem(key));
  /** Removes the values that a person left besides the token. */
  const forgetLeft = (): void => [BATCH, PREFIX + UPLOADS_SETTING].forEach((key) => local.removeItem(key));
  /** Id of the person whose token this browser has; undefined when that is not known. */
  const holder = (): string | undefined => {
    const stored = parse(local.getItem(TOKEN));
    return isStoredToken(stored) && typeof stored.person === 'string' ? stored.person : undefined;
  };
  return {
    /** The bearer token, absent once the current time is past its expiry. */
    token(): string | undefined {
      const stored = parse(local.getItem(TOKEN));
      return isStoredToken(stored) && now() / 1000 <= stored.expires ? stored.token : undefined;
    },
    /** `expiresIn` in seconds from now; `person` is the id of the one who is signed in by it. */
    setToken(token: string, expiresIn: number, person?: string): void {
      const before = holder();
      if (person !== undefined && before !== undefined && before !== person) forgetLeft();
      const stored: StoredToken = { token, expires: Math.floor(now() / 1000) + expiresIn, ...(person && { person }) };
      local.setItem(TOKEN, JSON.stringify(stored));
    },
    holder,
    mirrored: (name: Mirrored): unknown => parse(session.getItem(PREFIX + name)),
    mirror: (name: Mirrored, value: unknown): void => session.setItem(PREFIX + name, JSON.stringify(value)),
    /** Ends the session here: all that belongs to the person. Settings of the browser stay. */
    clearSession(): void {
      local.removeItem(TOKEN);
      forgetLeft();
      forgetTab();
    },
    forgetTab,
    batch: (): string | undefined => local.getItem(BATCH) ?? undefined,
    setBatch: (id: string): void => local.setItem(BATCH, id),
    forgetBatch: (): void => local.removeItem(BATCH),
    language: (): string | undefined => local.getItem(LANG) ?? undefined,
    setLanguage: (language: string): void => local.setItem(LANG, language),
    /** A setting of this browser, such as the colour scheme. */
    setting: (name: string): unknown => parse(local.getItem(PREFIX + name)),
    setSetting: (name: string, value: unknown): void => local.setItem(PREFIX + name, JSON.stringify(value)),
  };
}

export type AppStorage = ReturnType<typeof makeStorage>;

/** Stands in where a browser refuses storage altogether (private modes, embedded views). */
function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    getItem: (key) => values.get(key) ?? null,
    key: (index) => [...values.keys()][index] ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => void values.set(key, value),
  };
}

function usable(pick: () => Storage): Storage {
  try {
    const found = pick();
    found.setItem(`${PREFIX}probe`, '1');
    found.removeItem(`${PREFIX}probe`);
    return found;
  } catch {
    return memoryStorage();
  }
}

export const storage: AppStorage = makeStorage({
  local: usable(() => window.localStorage),
  session: usable(() => window.sessionStorage),
  now: Date.now,
});
