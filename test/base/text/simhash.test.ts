import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { distance } from '../../../src/base/core/same-text.ts';
import { simhash } from '../../../src/base/text/simhash.ts';

const words = Array.from({ length: 400 }, (_, i) => `w${(i * 7919) % 997}`);

/** `count` words drawn by a seed. */
function text(seed: number, count: number): string[] {
  const rng = seededRng(seed);
  return Array.from({ length: count }, () => words[Math.floor(rng() * words.length)] ?? '');
}

const near = (one: readonly string[], other: readonly string[]) => distance(simhash(one.join(' ')), simhash(other.join(' ')));

test('the same words are the same, whatever stands between them and however they are written', () => {
  const [one, other] = ['Peat bog, and moss — again!', 'peat  BOG and\nmoss (again)'];
  expect(simhash(one)).toEqual(simhash(other));
  expect(simhash(one)).not.toEqual(simhash('moss bog, and peat — again!'));
});

test('a text with one word in fifty anew is near; an unrelated one is far', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const one = text(seed, 300);
    const changed = one.map((word, i) => (i % 50 === 7 ? `new${i}` : word));
    expect(near(one, changed)).toBeLessThanOrEqual(14);
    expect(near(one, text(seed + 1000, 300))).toBeGreaterThan(14);
  }
});

test('nearness falls with what is shared', () => {
  const average = (share: number) => {
    let sum = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const one = text(seed, 300);
      sum += near(one, [...one.slice(0, 300 * share), ...text(seed + 500, 300 * (1 - share))]);
    }
    return sum / 30;
  };
  const steps = [1, 0.9, 0.5, 0].map(average);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps[0]).toBe(0);
  expect(Math.abs((steps[3] ?? 0) - 32)).toBeLessThan(3);
});

test('texts of scripts without spaces have one too', () => {
  const zh = '泥炭是植物遗体在沼泽中经过多年堆积而形成的有机物质，含有大量的水分和未分解的植物残体。';
  expect(distance(simhash(zh), simhash(`${zh.slice(0, -8)}变了。`))).toBeLessThan(
    distance(simhash(zh), simhash('今天的天气很好，我们去公园散步，看见了许多人在湖边钓鱼和唱歌。')),
  );
  expect(simhash(zh)).not.toEqual([0, 0]);
});

test('fewer than three words are 0, and what comes after 4,000 characters does not count', () => {
  for (const short of ['', ' … ', 'one', 'one two']) expect(simhash(short)).toEqual([0, 0]);
  const long = text(3, 2000).join(' ');
  expect(simhash(`${long} and more`)).toEqual(simhash(long));
});

test('distance is a metric of bits', () => {
  const half = fc.nat(2 ** 32 - 1);
  const hash = fc.tuple(half, half);
  fc.assert(
    fc.property(hash, hash, hash, (a, b, c) => {
      expect(distance(a, a)).toBe(0);
      expect(distance(a, b)).toBe(distance(b, a));
      expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
      const bits = (x: number) => x.toString(2).replaceAll('0', '').length;
      expect(distance(a, b)).toBe(bits((a[0] ^ b[0]) >>> 0) + bits((a[1] ^ b[1]) >>> 0));
    }),
  );
});
