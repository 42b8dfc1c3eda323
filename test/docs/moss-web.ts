/** The web that the examples of the docs crawl: two pages on moss, one on trams, a dead link; and six example pages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualSource } from '../../datasets/page-source.ts';

const MOSS = [
  'Moss is a small plant without flowers. It grows in cushions on damp stones and drinks water through its leaves.',
  'The spores of a moss ripen in a capsule on a stalk, and the wind carries them from the capsule over the bog.',
  'Sphagnum moss builds peat. Its dead cells hold water, so the bog stays wet and sour and little rots in it.',
  'A carpet of feather moss keeps the forest floor damp. Its stems branch like feathers and lie one over another.',
  'Mosses have no roots. Fine threads called rhizoids hold the cushion of moss to bark, soil or stone.',
  'In the shade of the gorge the liverwort and the moss share the wet rock where the spray of the fall reaches.',
];
const TRAMS = [
  'The tram leaves the depot at six. The driver checks the brakes, and the conductor counts the change in the drawer.',
  'A timetable for the winter hangs at each stop, with the fares of the night lines printed under it in red.',
  'The overhead wire carries the current, and the rails carry it back to the power station by the harbour.',
];

function pageOf(title: string, sentences: readonly string[], links: readonly string[]): string {
  const text = sentences.map((sentence) => `<p>${sentence}</p>`).join('\n');
  const list = links.map((link) => `<p>See also <a href="${link}">${link}</a>.</p>`).join('\n');
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>\n${text}\n${list}</main></html>`;
}

/** The sentences from one on, around: pages of one subject that are not the same. */
function turned(sentences: readonly string[], by: number): string[] {
  return [...sentences.slice(by), ...sentences.slice(0, by)].slice(0, sentences.length - 1);
}

export const MOSS_WEB = virtualSource(
  new Map([
    [
      'moss.example',
      new Map([
        ['/', pageOf('Moss of the bog', turned(MOSS, 0), ['/peat', '/gone', 'http://trams.example/'])],
        ['/peat', pageOf('Moss and peat', turned(MOSS, 2), ['/'])],
      ]),
    ],
    ['trams.example', new Map([['/', pageOf('Trams of the town', TRAMS, ['/'])]])],
  ]),
);

/** Six pages on moss below `dir`. */
export function writeExamples(dir: string): void {
  mkdirSync(join(dir, 'examples/moss'), { recursive: true });
  for (const at of MOSS.keys()) writeFileSync(join(dir, `examples/moss/${at}.html`), pageOf(`Moss, part ${at}`, turned(MOSS, at), []));
}
