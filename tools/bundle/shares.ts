/** Modules of a program by the starts that need them. */

/**
 * Names, for each module, the starts whose imports reach it: `02` for the first and the third. A module imports only modules that have at least its
 * starts, so files by name never need each other in a circle.
 * @returns null for a start itself, and for modules that none needs at once
 */
export function sharesOf(starts: readonly string[], importsOf: (module: string) => readonly string[]): (module: string) => string | null {
  const names = new Map<string, string>();
  for (const [i, start] of starts.entries())
    for (const module of reached(start, importsOf)) names.set(module, `${names.get(module) ?? ''}${i}`);
  return (module) => (starts.includes(module) ? null : (names.get(module) ?? null));
}

/** Names of `sharesOf`, those of most starts first: their modules import no others. */
export function shareNames(starts: number): readonly string[] {
  const all = Array.from({ length: 2 ** starts - 1 }, (_, i) =>
    Array.from({ length: starts }, (_, start) => (((i + 1) >> start) & 1 ? start : '')).join(''),
  );
  return all.sort((a, b) => b.length - a.length);
}

/** A module and all that it imports, directly or not. */
function reached(start: string, importsOf: (module: string) => readonly string[]): ReadonlySet<string> {
  const known = new Set([start]);
  for (const module of known) for (const imported of importsOf(module)) known.add(imported);
  return known;
}
