/** Pages in English and French whose sentences translate each other, by a small grammar: as many as asked for, always the same. */
import { seededRng } from '../../src/base/core/rng.ts';
import type { RecordId } from '../../src/base/core/types.ts';

type Words = readonly (readonly [english: string, french: string])[];

const TIMES: Words = [
  ['In the morning', 'Le matin'],
  ['In the evening', 'Le soir'],
  ['During the winter', "Pendant l'hiver"],
  ['During the summer', "Pendant l'été"],
  ['After the storm', 'Après la tempête'],
  ['Before the harvest', 'Avant la récolte'],
  ['On market days', 'Les jours de marché'],
  ['According to the register', "D'après le registre"],
  ['In the old photographs', 'Sur les vieilles photographies'],
  ['When the river is high', 'Quand la rivière est haute'],
];
const SUBJECTS: Words = [
  ['the gardener', 'le jardinier'],
  ['the young teacher', 'la jeune institutrice'],
  ['the ferryman', 'le passeur'],
  ['the baker of the village', 'le boulanger du village'],
  ['our neighbour', 'notre voisine'],
  ['the mayor', 'le maire'],
  ['the night watchman', 'le veilleur de nuit'],
  ['the clockmaker', "l'horloger"],
  ['the director of the museum', 'la directrice du musée'],
  ['the old shepherd', 'le vieux berger'],
  ['the lighthouse keeper', 'le gardien du phare'],
  ['the postwoman', 'la factrice'],
  ['the engineer', "l'ingénieur"],
  ['the innkeeper', "l'aubergiste"],
  ['the archivist', "l'archiviste"],
  ['the miller', 'le meunier'],
];
const VERBS: Words = [
  ['repairs', 'répare'],
  ['paints', 'peint'],
  ['looks for', 'cherche'],
  ['describes', 'décrit'],
  ['sells', 'vend'],
  ['counts', 'compte'],
  ['measures', 'mesure'],
  ['carries', 'porte'],
  ['admires', 'admire'],
  ['hides', 'cache'],
  ['draws', 'dessine'],
  ['cleans', 'nettoie'],
  ['borrows', 'emprunte'],
  ['shows', 'montre'],
];
const OBJECTS: Words = [
  ['the wooden bridge', 'le pont de bois'],
  ['the copper kettle', 'la bouilloire de cuivre'],
  ['a basket of apples', 'un panier de pommes'],
  ['the stone wall', 'le mur de pierre'],
  ['the letters of the widow', 'les lettres de la veuve'],
  ['a map of the marsh', 'une carte du marais'],
  ['the broken bicycle', 'le vélo cassé'],
  ['the church bell', "la cloche de l'église"],
  ['the green shutters', 'les volets verts'],
  ['two barrels of salt', 'deux tonneaux de sel'],
  ['the cheese of the valley', 'le fromage de la vallée'],
  ['an oak table', 'une table de chêne'],
  ['the nets of the fishermen', 'les filets des pêcheurs'],
  ['the school benches', "les bancs de l'école"],
  ['a box of candles', 'une boîte de bougies'],
  ['the wheel of the mill', 'la roue du moulin'],
];
const PLACES: Words = [
  ['behind the station', 'derrière la gare'],
  ['near the harbour', 'près du port'],
  ['in the attic', 'dans le grenier'],
  ['under the chestnut trees', 'sous les châtaigniers'],
  ['at the edge of the forest', 'à la lisière de la forêt'],
  ['in front of the town hall', 'devant la mairie'],
  ['beside the canal', 'au bord du canal'],
  ['on the upper floor', "à l'étage"],
  ['between the two farms', 'entre les deux fermes'],
  ['on the road to the coast', 'sur la route de la côte'],
  ['in the cellar of the inn', "dans la cave de l'auberge"],
  ['above the waterfall', 'au-dessus de la cascade'],
];

/** A sentence in both languages. */
export type SentenceTwins = readonly [english: string, french: string];

/** Every third sentence has a year, and every second one a second clause. */
export function sentenceTwins(rng: () => number): SentenceTwins {
  const drawn = (...lists: readonly Words[]) => lists.map((words) => words[Math.floor(rng() * words.length)] as readonly [string, string]);
  const parts = drawn(TIMES, SUBJECTS, VERBS, OBJECTS, PLACES);
  if (rng() < 1 / 2) parts.push(['and', 'et'], ...drawn(SUBJECTS, VERBS, OBJECTS, PLACES));
  const year = rng() < 1 / 3 ? 1850 + Math.floor(rng() * 150) : null;
  const written = (side: 0 | 1) => {
    const [time, ...rest] = parts.map((part) => part[side]);
    return `${time}, ${rest.join(' ')}${year === null ? '' : side === 0 ? `, as in ${year}` : `, comme en ${year}`}.`;
  };
  return [written(0), written(1)];
}

export interface BilingualPage {
  readonly id: RecordId;
  readonly url: string;
  readonly lang: 'en' | 'fr';
  readonly title: string;
  readonly text: string;
  /** URL of its version in the other language. */
  readonly partner: string;
  /** The sentences of both versions, with those that one of them lacks. */
  readonly twins: readonly SentenceTwins[];
}

export interface BilingualOptions {
  readonly pagePairs: number;
  readonly sentences: number;
  /** Share of the sentences that a side lacks. Default: 0. */
  readonly lost?: number;
  readonly seed?: number;
  readonly host?: string;
}

/** Page pairs one by one: the English page, then the French one. Three or so sentences are a paragraph. */
export function* bilingualPages({
  pagePairs,
  sentences,
  lost = 0,
  seed = 1,
  host = 'valley.example',
}: BilingualOptions): Generator<BilingualPage> {
  const rng = seededRng(seed);
  for (let pair = 0; pair < pagePairs; pair++) {
    const [english, french, all]: [string[], string[], SentenceTwins[]] = [[], [], []];
    const title = sentenceTwins(rng);
    for (let i = 0; i < sentences; i++) {
      const twins = sentenceTwins(rng);
      all.push(twins);
      const gap = i > 0 && rng() < 1 / 3 ? '\n\n' : ' ';
      if (rng() >= lost) english.push(`${gap}${twins[0]}`);
      if (rng() >= lost) french.push(`${gap}${twins[1]}`);
    }
    const urls = [`http://${host}/en/page-${pair}`, `http://${host}/fr/page-${pair}`] as const;
    const page = (side: 0 | 1, lines: readonly string[]): BilingualPage => ({
      id: `urn:uuid:00000000-0000-4000-8000-${String(2 * pair + side).padStart(12, '0')}` as RecordId,
      url: urls[side],
      lang: side === 0 ? 'en' : 'fr',
      title: title[side],
      text: lines.join('').trim(),
      partner: urls[1 - side] as string,
      twins: all,
    });
    yield page(0, english);
    yield page(1, french);
  }
}
