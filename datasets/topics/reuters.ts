import { decodeHTML } from 'entities';
import { DataError } from '../../src/base/core/errors.ts';
import { fileIn, type PackageFiles } from '../package-files.ts';
import { type ArffTable, parseArff } from './arff.ts';
import type { LabelledText } from './text-set.ts';

const FOLDER = 'usr/share/doc/weka/examples';
const SIDES = ['training', 'test'] as const;
type Side = (typeof SIDES)[number];
const FILE_OF: Readonly<Record<Side, string>> = { training: 'train', test: 'test' };

/** Whether the package's file of this name is one of the set. */
export function isReutersFile(name: string): boolean {
  return name.startsWith(`${FOLDER}/Reuters`) && name.endsWith('.arff');
}

/** Newswire stories of 1987, labelled as being on corn, on grain, on both or on neither; with the split they come with. @throws DataError */
export function reutersTexts(weka: PackageFiles): LabelledText[] {
  return SIDES.flatMap((side) => storiesOf(weka, side));
}

/** The stories stand in both files in the same order; what differs is the label. */
function storiesOf(weka: PackageFiles, side: Side): LabelledText[] {
  const corn = tableOf(weka, 'Corn', side);
  const grain = tableOf(weka, 'Grain', side);
  return corn.rows.map(([text, onCorn], at): LabelledText => {
    const [sameText, onGrain] = grain.rows[at] ?? [];
    if (text === null || text === undefined || text !== sameText)
      throw new DataError(
        `package weka ${weka.version}: story ${at + 1} of corn and grain (${side}) differ; the set is made for version 3.6.14`,
      );
    const labels = [...(onCorn === '1' ? ['corn'] : []), ...(onGrain === '1' ? ['grain'] : [])];
    return { id: `${side}-${at + 1}`, group: null, labels, title: '', text: plain(text), url: null, side };
  });
}

function tableOf(weka: PackageFiles, topic: string, side: Side): ArffTable {
  const name = `${FOLDER}/Reuters${topic}-${FILE_OF[side]}.arff`;
  return parseArff(fileIn(weka, name).toString('latin1'), name);
}

/** The stories still have the entities of the SGML they came from, and its end-of-text mark. */
function plain(text: string): string {
  return decodeHTML(text).replaceAll(/\p{Cc}/gu, ' ');
}
