/** Number of names that a line lists. */
const NAMED = 3;

/** The first of several names, for a message. */
export function named(names: readonly string[]): string {
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');
}
