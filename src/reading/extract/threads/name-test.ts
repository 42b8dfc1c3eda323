/** Tests of the class names of an element, remembered by its list: elements with one value of `class` share the list. */

/** Is one of the names like that? */
export function namesTest(pattern: RegExp): (names: readonly string[]) => boolean {
  const known = new WeakMap<readonly string[], boolean>();
  return (names) => {
    if (names.length === 0) return false;
    const before = known.get(names);
    if (before !== undefined) return before;
    const fits = names.some((name) => pattern.test(name));
    known.set(names, fits);
    return fits;
  };
}
