/** The permission to take over locks, for the whole process. Apart from the locks, so that it loads nothing. */

let takesOver = false;

/**
 * Lets this process take over each lock whose owner cannot be checked: on a file system without locks, of another machine, or from before a restart. A lock
 * that a process certainly holds stays. Call it only when no other process works on the crawls and outputs that this process writes.
 */
export function takeOverLocks(): void {
  takesOver = true;
}

/** Was `takeOverLocks` called? */
export function locksAreTakenOver(): boolean {
  return takesOver;
}
