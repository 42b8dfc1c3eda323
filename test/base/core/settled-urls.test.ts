import { expect, test } from 'vitest';
import { SettledUrls } from '../../../src/base/core/settled-urls.ts';
import { urlOf } from '../../support/frontier-values.ts';

const one = (i: number) => urlOf(`http://h${i % 97}.test/path/${i}`);

test('what one thread adds others find, and nothing else', () => {
  const own = new SettledUrls();
  const other = new SettledUrls(own.memory);
  for (let i = 0; i < 10_000; i++) own.add(one(i));
  let found = 0;
  for (let i = 0; i < 10_000; i++) found += Number(other.has(one(i)));
  // An assertion for each would take most of the time.
  let foreign = 0;
  for (let i = 10_000; i < 200_000; i++) foreign += Number(other.has(one(i)));
  expect(foreign).toBe(0);
  // A hundredth of the places is full, and five of one four are rare.
  expect(found).toBeGreaterThan(9990);
});

test('adding what is there already crowds nothing out', () => {
  const urls = new SettledUrls();
  for (let turn = 0; turn < 5; turn++) for (let i = 0; i < 1000; i++) urls.add(one(i));
  for (let i = 0; i < 1000; i++) expect(urls.has(one(i))).toBe(true);
});

test('when it is full the last ones are known', () => {
  const urls = new SettledUrls();
  const count = 2_500_000;
  const plain = (i: number) => `http://a.test/${i}` as ReturnType<typeof urlOf>;
  for (let i = 0; i < count; i++) urls.add(plain(i));
  let [known, late] = [0, 0];
  for (let i = 0; i < count; i += 100) known += Number(urls.has(plain(i)));
  for (let i = count - 1000; i < count; i++) late += Number(urls.has(plain(i)));
  expect((100 * known) / 2 ** 20).toBeGreaterThan(0.9);
  expect(late).toBeGreaterThan(990);
});
