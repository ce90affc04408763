import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PARTS = new Set(['contract', 'server', 'web', 'player', 'fleet', 'e2e', 'bench', 'demo', 'scripts']);
/**
 * Folders of a part's `src` that are no features, from the lowest layer up; folders of one layer do not import each
 * other. Any other folder is a feature, above them all.
 */
const LAYERS = {
  server: [['platform'], ['blobs'], ['uploads', 'media']],
  web: [['platform'], ['ui'], ['queries']],
  player: [['platform'], ['store']],
};
/**
 * The server's features from the lowest up: a feature may call those of lower rows only, for types too, so that they
 * form no circle. Functions that would point up are passed by `server/src/features.ts`.
 */
const SERVER_FEATURES = [
  ['groups'],
  ['users', 'devices', 'home', 'search', 'shares', 'scans'],
  ['session', 'releases', 'reports', 'alerts'],
  ['files', 'apps', 'ads', 'player'],
  ['takeovers', 'campaigns'],
];
const heightOf = (folder) => SERVER_FEATURES.findIndex((row) => row.includes(folder));
/** Parts that run the others: each may import the parts before it. */
const OUTER_PARTS = ['e2e', 'bench', 'demo'];

const rankOf = (part, folder) => (LAYERS[part] ?? []).findIndex((folders) => folders.includes(folder));

/**
 * The place of a file: its part, and below `src` its layer and folder.
 * `server/src/devices/pair.ts` → `{ part: 'server', layer: 'feature', folder: 'devices', name: 'pair.ts' }`,
 * `server/src/blobs/s3.ts` → `{ part: 'server', layer: 'library', rank: 1, folder: 'blobs', name: 's3.ts' }`
 */
function placeOf(file) {
  const [part, src, ...rest] = path.relative(ROOT, file).split(path.sep);
  if (!PARTS.has(part) || src !== 'src') return { part, layer: 'outside', folder: src, name: rest.at(-1) };
  const folder = rest.length > 1 ? rest[0] : '';
  const name = rest.at(-1) ?? '';
  if (folder === '' || folder === 'app') return { part, layer: 'app', folder, name };
  // The texts and the code that loads them.
  if (folder === 'locales') return placeOf(path.join(ROOT, part, 'src/platform', name));
  const rank = rankOf(part, folder);
  return rank < 0 ? { part, layer: 'feature', folder, name } : { part, layer: 'library', rank, folder, name };
}

const isTest = (file) => /\.test\.tsx?$/.test(file) || /\/test\//.test(file);

/** The parts that export modules, and the parts that import them; everybody imports the contract. */
const USERS = { contract: [...PARTS], player: ['fleet', 'bench', 'e2e'], fleet: ['demo', 'e2e'] };

/** Why `from` may not import `to`, or undefined when it may. */
function refusal(from, to) {
  if (from.part !== to.part) {
    if (to.part in USERS) return `${from.part} imports ${to.part} as the package @ams/${to.part} only`;
    // A bench measures the server's own code, stories compare with the app's own texts, the demo starts the server.
    const isAllowed = OUTER_PARTS.indexOf(from.part) > OUTER_PARTS.indexOf(to.part);
    return isAllowed ? undefined : `${from.part} must not reach into ${to.part}`;
  }
  if (from.layer === 'outside' || from.layer === 'app' || to.layer === 'outside') return undefined;
  if (to.layer === 'app' && from.part !== 'contract') {
    return `${from.layer} must not import the app`;
  }
  if (from.part === 'contract' || from.part === 'fleet') return undefined;
  if (from.folder === to.folder || (from.layer === 'feature' && to.layer === 'library')) return undefined;
  if (from.layer === 'feature') return betweenFeatures(from, to);
  return to.layer === 'feature' || to.rank >= from.rank ? `${from.folder} must not know ${to.folder}` : undefined;
}

function betweenFeatures(from, to) {
  if (from.part === 'server') {
    const [mine, other] = [heightOf(from.folder), heightOf(to.folder)];
    if (mine < 0 || other < 0) return `SERVER_FEATURES does not say where ${mine < 0 ? from.folder : to.folder} stands`;
    if (other >= mine)
      return `the feature ${from.folder} stands no higher than ${to.folder}: see server/src/features.ts`;
    if (/\.(service|tables)\.ts$/.test(to.name)) return undefined;
    return `the feature ${from.folder} may call ${to.folder} through its *.service.ts only`;
  }
  if (from.part === 'player') {
    const pair = new Set([from.folder, to.folder]);
    return pair.has('playback') && pair.has('sync') ? 'sync and playback meet only through store' : undefined;
  }
  return `the feature ${from.folder} must not import its sibling ${to.folder}`;
}

/** Packages that read what people upload. */
const PARSER_PACKAGES = [
  'mediabunny',
  'sharp',
  '@e965/xlsx',
  '@devicefarmer/adbkit-apkreader',
  'svg-captcha',
  'asn1js',
];
const SANDBOX = path.join(ROOT, 'server/src/platform/sandbox');
const PARSERS = path.join(SANDBOX, 'parsers') + path.sep;
/** The module that a sandbox's child process begins with. */
const CHILD_ENTRY = path.join(SANDBOX, 'entry.ts');

/** Uploaded content is parsed in child processes only: no other module of the server loads a parser. */
function parserRefusal(file, node, source) {
  if (file.startsWith(PARSERS) || node.importKind === 'type') return undefined;
  if (PARSER_PACKAGES.some((name) => source === name || source.startsWith(`${name}/`))) {
    return `${source} reads uploaded content: only platform/sandbox/parsers may load it`;
  }
  const isParser = source.startsWith('.') && path.resolve(path.dirname(file), source).startsWith(PARSERS);
  return isParser && file !== CHILD_ENTRY ? 'parsers run in child processes only: use deps.sandbox' : undefined;
}

const CONTRACT_PACKAGES = new Set(['zod', 'big.js']);

/** `contract` imports zod and a decimal library; parts import from each other what their packages export. */
function packageRefusal(from, source) {
  if (from.part === 'contract' && !CONTRACT_PACKAGES.has(source)) return 'contract imports zod and big.js only';
  const [, part] = /^@ams\/([^/]+)/.exec(source) ?? [];
  return part && !USERS[part]?.includes(from.part) ? `${from.part} must not import ${part}` : undefined;
}

const imports = {
  meta: { type: 'problem', docs: { description: 'The house: who may import whom, read off the folder names' } },
  create(context) {
    const file = context.filename ?? context.getFilename();
    const from = placeOf(file);
    if (!PARTS.has(from.part) || isTest(file)) return {};
    const check = (node) => {
      const source = node.source?.value;
      if (typeof source !== 'string' || source.startsWith('node:')) return;
      const byHouse = source.startsWith('.')
        ? refusal(from, placeOf(path.resolve(path.dirname(file), source)))
        : packageRefusal(from, source);
      const why = byHouse ?? (from.part === 'server' ? parserRefusal(file, node, source) : undefined);
      if (why) context.report({ node, message: why });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** Folder of `server/src` by table: where a `Tables` interface or a migration's raw table is declared. */
function readOwners() {
  const source = path.join(ROOT, 'server/src');
  const owners = new Map([
    ['tallies', 'home'],
    ['idempotency_keys', 'platform'],
    ['job_workers', 'platform'],
  ]);
  for (const file of readdirSync(source, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const [, declared] =
      /interface Tables \{\n([\s\S]*?)\n {2}\}/.exec(readFileSync(path.join(source, file), 'utf8')) ?? [];
    for (const [, table] of declared?.matchAll(/^ {4}(\w+):/gm) ?? []) owners.set(table, file.split(path.sep)[0]);
  }
  return owners;
}

const OWNERS = readOwners();

const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?([a-z_]+)/g;
const BUILDERS = new Set(['insertInto', 'updateTable', 'deleteFrom']);

/** Only the folder that declares a table writes its rows. */
const tables = {
  meta: { type: 'problem', docs: { description: 'One owner per table: other features call its service' } },
  create(context) {
    const file = context.filename ?? context.getFilename();
    const from = placeOf(file);
    if (from.part !== 'server' || from.layer === 'outside' || isTest(file)) return {};
    const check = (node, table) => {
      const owner = OWNERS.get(table);
      if (owner !== undefined && owner !== from.folder)
        context.report({ node, message: `the table ${table} belongs to ${owner}: call its service` });
    };
    return {
      CallExpression(node) {
        const [table] = node.arguments;
        if (BUILDERS.has(node.callee.property?.name) && typeof table?.value === 'string')
          check(node, table.value.split(' ')[0]);
      },
      TemplateElement(node) {
        for (const [, table] of node.value.raw.matchAll(WRITES)) check(node, table);
      },
    };
  },
};

export default { meta: { name: 'house' }, rules: { imports, tables } };
