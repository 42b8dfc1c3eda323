/** Tests of class names, remembered by name: a site has some hundred, and an element of a page has a few of them. */
import { ownString } from '../../../base/core/own-string.ts';

const MAX_NAMES = 20_000;
/** Longer names are generated, and seldom repeat. */
const MAX_CHARS = 60;

export function nameTest(pattern: RegExp): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const fits = pattern.test(name);
    if (name.length <= MAX_CHARS) {
      if (known.size >= MAX_NAMES) known.clear();
      known.set(ownString(name), fits);
    }
    return fits;
  };
}
