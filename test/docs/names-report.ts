/**
 * Names and docstrings of `src/` that break the style sheet, by room, each with file and line: phrases to avoid in names, docstrings that begin with
 * neither a noun phrase nor a verb, and names that two modules export with two meanings.
 *
 *   npm run check -- names [WING[/ROOM]]
 *
 * Exit code 1 when there is one.
 */
import { phrasesToAvoid, readStyleSheet } from './prose.ts';
import { avoidedNames, bareDocstrings, type Fault, namesOfSeveralMeanings, sources } from './source-names.ts';
import { roomsOfSource } from './source-prose.ts';

const [place = ''] = process.argv.slice(2);
const all = sources();
const phrases = phrasesToAvoid(readStyleSheet());
const doubles = [...namesOfSeveralMeanings(all)].filter(([, faults]) => faults.some(isWanted));
const rows = roomsOfSource()
  .filter((room) => `${room}/`.startsWith(place === '' ? '' : `${place}/`))
  .map((room) => {
    const ofRoom = all.filter((source) => source.room === room);
    return { room, names: ofRoom.flatMap((source) => avoidedNames(source, phrases)), docstrings: ofRoom.flatMap(bareDocstrings) };
  });

for (const { names, docstrings } of rows) {
  print('phrase to avoid', names);
  print('first word', docstrings);
}
for (const [name, faults] of doubles) console.log(`two meanings: ${name} ${faults.map(placeOfFault).join(' ')}`);
console.log('\n| room | names | docstrings |\n| --- | ---: | ---: |');
for (const { room, names, docstrings } of rows) console.log(`| ${room} | ${names.length} | ${docstrings.length} |`);
console.log(
  `\n${sum(({ names }) => names)} names, ${sum(({ docstrings }) => docstrings)} docstrings, ${doubles.length} names of two meanings`,
);
process.exitCode = doubles.length + sum(({ names, docstrings }) => [...names, ...docstrings]) > 0 ? 1 : 0;

function print(rule: string, faults: readonly Fault[]): void {
  for (const fault of faults) console.log(`${rule}: ${placeOfFault(fault)} ${fault.text}`);
}

function placeOfFault({ path, line }: Fault): string {
  return `${path}:${line}`;
}

function isWanted({ path }: Fault): boolean {
  return path.startsWith(`src/${place}`);
}

function sum(of: (row: (typeof rows)[number]) => readonly Fault[]): number {
  return rows.reduce((total, row) => total + of(row).length, 0);
}
