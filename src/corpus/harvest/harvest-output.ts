import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Output, type OutputKind } from '../../base/disk/output.ts';
import { CARD_FILE } from '../../base/disk/own-names.ts';
import { harvestNames, placeOf } from '../../base/disk/whose.ts';
import { CARD_FORMATS } from '../describe/corpus-card.ts';
import { HarvestFolder, refuseToReplace } from '../formats/harvest-folder.ts';

/** A folder with a harvest, as an output. */
export const HARVEST_OUTPUT = {
  name: 'a harvest',
  form: 'folder',
  earlier: (folder) => (holdsHarvest(folder) ? new Set([...harvestNames(folder), ...namesOfCard(folder)]) : null),
} as const satisfies OutputKind;

/**
 * Claims the folder at `out` for a harvest.
 * @param sources the folders that the pages are read from
 * @param force an earlier harvest at `out` may be replaced
 * @throws UsageError if `out` contains anything else; StoreError
 */
export async function claimHarvestFolder(out: string, sources: readonly string[], force: boolean): Promise<HarvestFolder> {
  for (const dir of sources) refuseToReplace(dir, placeOf(out));
  return HarvestFolder.in(await Output.claim(out, HARVEST_OUTPUT, { force }), sources);
}

/** Is a harvest with pages at that path? */
export function hasPages(target: string): boolean {
  return (cardIn(target)?.records?.kept ?? 0) > 0;
}

function holdsHarvest(folder: string): boolean {
  return cardIn(folder) !== null;
}

/** Files of harvests of earlier versions, which had no SHA256SUMS. */
function namesOfCard(folder: string): readonly string[] {
  return [...(cardIn(folder)?.files ?? []).map(({ name }) => name), ...EARLIER_DESCRIPTIONS];
}

const EARLIER_DESCRIPTIONS = ['corpus-card.md', 'README.md', 'CITATION.cff', 'croissant.json', 'ro-crate-metadata.json', 'corpus.bib'];

/** The parts of a card that tell whose a folder is. A damaged one is still a card: its folder is a harvest. */
const ownCardSchema = z.looseObject({
  format: z.string().refine((format) => CARD_FORMATS.includes(format)),
  files: z
    .array(z.looseObject({ name: z.string() }))
    .optional()
    .catch(undefined),
  records: z.looseObject({ kept: z.number() }).optional().catch(undefined),
});

/** null if the folder has no card of a harvest. */
function cardIn(folder: string): z.infer<typeof ownCardSchema> | null {
  try {
    return ownCardSchema.parse(JSON.parse(readFileSync(join(folder, CARD_FILE), 'utf8')));
  } catch {
    return null;
  }
}
