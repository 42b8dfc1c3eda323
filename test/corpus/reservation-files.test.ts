import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataError } from '../../src/core/errors.ts';
import { RESERVATIONS_FILE, ReservationFiles } from '../../src/corpus/reservation-files.ts';
import { freshDir } from './samples.ts';

test('a damaged line of a long file is named, and the file is closed', async () => {
  const dir = freshDir();
  const path = join(dir, RESERVATIONS_FILE);
  const text = `{"torn\n${'{}\n'.repeat(100_000)}`;
  writeFileSync(path, text);
  const reading = ReservationFiles.read(dir, text.length);
  await expect(reading).rejects.toThrow(DataError);
  await expect(reading).rejects.toThrow(`${path}:1: cannot be read`);
});
