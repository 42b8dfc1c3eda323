import type { Rng } from '../../../src/base/core/rng.ts';

/** Pages of sites that fill templates: a passage of the template, then words of their own, of very different shares, so that pairs have all similarities. */
export function templatedPages(count: number, rng: Rng, templates = 12): string[] {
  const vocabulary = Array.from({ length: 5000 }, (_, i) => `w${i.toString(36)}`);
  const draw = (length: number) => Array.from({ length }, () => vocabulary[Math.floor(rng() ** 2 * vocabulary.length)] ?? '').join(' ');
  const passages = Array.from({ length: templates }, () => draw(100 + Math.floor(rng() * 500)));
  return Array.from({ length: count }, () => {
    const passage = passages[Math.floor(rng() * passages.length)] ?? '';
    const share = rng() ** 2;
    const edited = passage.split(' ').map((word) => (rng() < share * 0.03 ? `x${Math.floor(rng() * 1e6)}` : word));
    return `${draw(Math.floor(passage.split(' ').length * share * 0.4))} ${edited.join(' ')}`;
  });
}
