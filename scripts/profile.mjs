/** The lock of a browser's profile: links that Chromium makes at its start and a killed one leaves behind. */
import { readlinkSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';

/** `SingletonLock` names computer and process, `SingletonSocket` leads to the socket that the owner listens at. */
const LINKS = ['SingletonLock', 'SingletonSocket', 'SingletonCookie'];

/**
 * The target of a link of the profile; undefined without one.
 *
 * @param {string} profile @param {string} name
 */
function target(profile, name) {
  try {
    return readlinkSync(path.join(profile, name));
  } catch {
    return undefined;
  }
}

/** @param {string} socket @returns {Promise<boolean>} whether somebody listens at it */
const isListening = (socket) =>
  new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.on('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.on('error', () => resolve(false));
  });

/**
 * Removes the lock of a profile whose browser no longer runs. Chromium itself refuses to start when the lock names
 * another computer (a renamed one, the container before this one) or a process number that was given out again. A
 * browser that listens at the socket keeps its lock.
 *
 * @param {string} profile folder of the profile
 * @returns {Promise<boolean>} whether its browser runs
 */
export async function unlockProfile(profile) {
  if (target(profile, 'SingletonLock') === undefined) return false;
  const socket = target(profile, 'SingletonSocket');
  if (socket !== undefined && (await isListening(path.resolve(profile, socket)))) return true;
  for (const name of LINKS) rmSync(path.join(profile, name), { force: true });
  return false;
}
