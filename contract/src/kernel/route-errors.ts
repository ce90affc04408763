import type { ErrorName } from './errors.ts';
import { isRaw, type People, type PersonAccess, type Route } from './route.ts';

/** Any call: a request that is no HTTP, a fault, a database that is away. */
const ANY: readonly ErrorName[] = ['INVALID', 'INTERNAL', 'UNAVAILABLE'];
const OF_BODY: readonly ErrorName[] = ['TOO_LARGE', 'UNSUPPORTED_FORMAT'];
/** A second change at the same time. */
const OF_CHANGE: readonly ErrorName[] = ['NOT_FOUND', 'CHANGED_MEANWHILE'];
const OF_REPETITION: readonly ErrorName[] = ['IDEMPOTENCY_KEY_REUSED', 'OUTCOME_UNKNOWN'];

/** Whether a call changes nothing. */
export const isReading = ({ method, reads }: Pick<Route, 'method' | 'reads'>): boolean =>
  method === 'GET' || reads === true;

/** The people of an account that may make a call: read-only ones make no call that changes something. */
export const peopleOf = (route: Pick<Route, 'method' | 'reads' | 'people'>): People =>
  route.people ?? (isReading(route) ? 'all' : 'operators');

const ADMITTED: Record<People, readonly PersonAccess[]> = {
  all: ['holder', 'operator', 'readOnly'],
  operators: ['holder', 'operator'],
  holder: ['holder'],
};

/** Whether a person with this access is among these people. */
export const isAmong = (people: People, access: PersonAccess): boolean => ADMITTED[people].includes(access);

/** Whether a repetition is answered as the first time: unless nothing changes or the answer is a file. */
export const isRepeatable = (route: Route): boolean => !isReading(route) && !isRaw(route.response);

/** Whether a call may take space that a full disk does not have. */
export const takesSpace = (route: Route): boolean =>
  !isReading(route) && route.method !== 'DELETE' && route.onFullDisk !== true;

const OF_PEOPLE: Record<People, readonly ErrorName[]> = {
  all: [],
  operators: ['READ_ONLY'],
  holder: ['HOLDER_ONLY'],
};

function ofCaller({ access }: Route): readonly ErrorName[] {
  switch (access) {
    case 'open':
      return [];
    case 'device':
      // The device may be deleted while the call is under way.
      return ['UNAUTHENTICATED', 'NOT_FOUND'];
    case 'user':
      return ['UNAUTHENTICATED', 'TOO_MANY'];
    case 'leading':
      return ['UNAUTHENTICATED', 'LEADING_ONLY', 'TOO_MANY'];
  }
}

/** The errors that a call may answer: those that follow from its properties, and its own. */
export function errorsOf(route: Route): readonly ErrorName[] {
  const isPerson = route.access === 'user' || route.access === 'leading';
  return [
    ...new Set<ErrorName>([
      ...ANY,
      ...ofCaller(route),
      ...(isPerson ? OF_PEOPLE[peopleOf(route)] : []),
      ...(route.params ? (['NOT_FOUND'] as const) : []),
      ...(route.perMinute === undefined ? [] : (['TOO_MANY'] as const)),
      ...(route.method === 'GET' ? [] : OF_BODY),
      ...(isPerson && !isReading(route) ? OF_CHANGE : []),
      // The account may be disabled or demoted while the call is under way.
      ...(isPerson && !isReading(route) ? (['FORBIDDEN_USER', 'LEADING_ONLY'] as const) : []),
      ...(isRepeatable(route) ? OF_REPETITION : []),
      ...(takesSpace(route) ? (['STORAGE_FULL'] as const) : []),
      ...(route.errors ?? []),
    ]),
  ];
}
