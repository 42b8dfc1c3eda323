import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import { DataError } from '../../../src/base/core/errors.ts';
import type { ReservationFile, ReservationRule } from '../../../src/base/core/types.ts';
import { RESERVATIONS_FILE, ReservationFiles, reservationFaults, reservationLine } from '../../../src/corpus/records/reservation-files.ts';
import { collected, freshDir, pageOf, recordOf, T0, urlOf } from './samples.ts';

test('a damaged line of a long file is named, and the file is closed', async () => {
  const dir = freshDir();
  const path = join(dir, RESERVATIONS_FILE);
  const text = `{"torn\n${'{}\n'.repeat(100_000)}`;
  writeFileSync(path, text);
  const reading = ReservationFiles.read(dir, text.length);
  await expect(reading).rejects.toThrow(DataError);
  await expect(reading).rejects.toThrow(`${path}:1: cannot be read`);
});

const RULE: ReservationRule = { location: '/', reserved: true, policy: null };
const fileOf = (url: string, to: string | null, rules: readonly ReservationRule[] = []): ReservationFile => ({
  url: urlOf(url),
  fetchedAt: isoTime(T0),
  to: to === null ? null : urlOf(to),
  rules,
});
const host = (name: string) => `http://${name}.example/.well-known/tdmrep.json`;
const pageAt = (name: string) => urlOf(`http://${name}.example/page`);

/** A folder with these answers, and the size of its file. */
function answers(files: readonly ReservationFile[]) {
  const dir = freshDir();
  const bytes = Buffer.concat(files.map((file) => reservationLine(file, null)));
  writeFileSync(join(dir, RESERVATIONS_FILE), bytes);
  return { dir, bytes, size: bytes.length };
}

test('what a host reserves is what its file said last, by up to five redirects', async () => {
  const chain = (length: number, name: string) => [
    fileOf(host(name), length === 0 ? null : `http://cdn.example/${name}/1`, length === 0 ? [RULE] : []),
    ...Array.from({ length }, (_, i) =>
      fileOf(
        `http://cdn.example/${name}/${i + 1}`,
        i + 1 === length ? null : `http://cdn.example/${name}/${i + 2}`,
        i + 1 === length ? [RULE] : [],
      ),
    ),
  ];
  const { dir, size } = answers([
    ...chain(0, 'none'),
    ...chain(1, 'one'),
    ...chain(5, 'five'),
    ...chain(6, 'six'),
    fileOf(host('loop'), host('loop')),
    fileOf(host('lost'), 'http://cdn.example/nowhere'),
    fileOf(host('changed'), null, [RULE]),
    fileOf(host('changed'), null, []),
  ]);
  const files = await ReservationFiles.read(dir, size);
  const known = ['none', 'one', 'five', 'six', 'loop', 'lost', 'changed', 'other'].filter((name) => files.knows(pageAt(name)));
  expect(known).toEqual(['none', 'one', 'five', 'changed']);
  const reserved = known.filter((name) => files.present(recordOf(pageOf(pageAt(name), 'x'))).reservation?.reserved);
  expect(reserved).toEqual(['none', 'one', 'five']);
});

test('faults are told line by line, as far as bytes count', async () => {
  const { dir, bytes } = answers([fileOf(host('a'), null), fileOf(host('b'), null), fileOf(host('c'), null)]);
  const path = join(dir, RESERVATIONS_FILE);
  const changed = String(bytes).replace('b.example', 'x.example');
  const none = ['{}\n', '{"url":"http://a.example/"}\n', '{"url":"nowhere","rules":[]}\n', 'torn\n'];
  writeFileSync(path, changed + none.join(''));
  const faults = (end: number) => collected(reservationFaults(dir, end));
  const wrong = expect.stringMatching(new RegExp(`^${path}:2: .*checksum is wrong`));
  const others = none.map((_, i) => expect.stringContaining(`${path}:${i + 4}: cannot be read`));
  expect(await faults(changed.length + none.join('').length)).toEqual([null, wrong, null, ...others]);
  expect(await faults(changed.length)).toEqual([null, wrong, null]);
  await expect(ReservationFiles.read(dir, changed.length)).rejects.toThrow(`${path}:2: `);
});

test('a file that cannot be read is named', async () => {
  const dir = freshDir();
  await expect(ReservationFiles.read(dir, 10)).rejects.toThrow(`${join(dir, RESERVATIONS_FILE)}: cannot be read`);
  await expect(collected(reservationFaults(dir, 10))).rejects.toThrow(DataError);
  expect((await ReservationFiles.read(dir, 0)).knows(pageAt('a'))).toBe(false);
});
