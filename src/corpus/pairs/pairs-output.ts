import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputKind } from '../../base/disk/output.ts';
import { PAIRS_CARD_FILE } from '../../base/disk/own-names.ts';
import { harvestNames } from '../../base/disk/whose.ts';

/** A folder with sentence pairs, as an output. */
export const PAIRS_OUTPUT = {
  name: 'sentence pairs',
  form: 'folder',
  earlier: (folder) => (existsSync(join(folder, PAIRS_CARD_FILE)) ? harvestNames(folder) : null),
} as const satisfies OutputKind;
