/** The web of docs/tutorial.md: pages about mosses and about other things, on hosts of several kinds. All of it is written here. */
import { type PageSource, virtualSource } from '../../datasets/page-source.ts';
import { type Rng, seededRng, shuffled } from '../../src/base/core/rng.ts';

const MOSS = [
  'Moss grows in cushions on damp stones and drinks water through its leaves.',
  'The spores of a moss ripen in a capsule on a stalk, and the wind carries them over the bog.',
  'Sphagnum builds peat, and its dead cells hold many times their weight in water.',
  'A carpet of feather moss keeps the forest floor damp through a dry summer.',
  'Mosses have no roots, only fine rhizoids that hold the cushion to bark or rock.',
  'Liverwort and moss share the wet rock where the spray of the waterfall reaches.',
  'The moss capsule opens by a ring of teeth that bend when the air is dry.',
  'A bog stays sour because sphagnum takes minerals from the water and leaves acid.',
  'Botanists press a moss between paper and soak it later to see its leaves again.',
  'Haircap moss stands taller than most, with stems like small fir trees.',
  'Under the lens the leaf of a moss is a single layer of green cells.',
  'Peat cutters find trunks of pine that sphagnum covered thousands of years ago.',
  'Some mosses grow on roofs, dry out to a crust and turn green after rain.',
  'A bryologist names mosses by the shape of capsule, leaf and midrib.',
  'Rewetting a drained bog lets sphagnum return within a few years.',
  'Epiphytic mosses on old oaks show that the air of a valley is clean.',
];
const OTHERS = {
  trams: [
    'The tram leaves the depot at six, when the driver has checked the brakes.',
    'A timetable for the winter hangs at each stop, with the fares of the night lines.',
    'The overhead wire carries the current and the rails carry it back to the power station.',
    'Conductors counted the change in a leather bag until the ticket machines came.',
    'The new low-floor cars have wide doors and a ramp for wheelchairs.',
    'Points at the junction are switched from the cab by radio.',
    'A museum line runs wooden cars of 1910 on summer Sundays.',
    'The city plans a second track through the station square.',
    'Sand on the rails helps a tram to stop on wet leaves in autumn.',
    'Each line has a colour and a number on the map of the network.',
  ],
  bread: [
    'The baker feeds the sourdough with rye flour and warm water in the evening.',
    'A loaf bakes on the stone until its crust sounds hollow.',
    'Yeast raises the dough, and folding gives the crumb its large holes.',
    'Salt slows the yeast and tightens the gluten of the dough.',
    'Wheat flour with much protein suits a loaf that rises freely.',
    'The oven gets steam in the first ten minutes so that the crust stays thin.',
    'Pretzels are dipped in lye before they go into the oven.',
    'Old bread makes crumbs, dumplings and a good soup.',
    'A basket of cane keeps the shape of the loaf while it rises.',
    'The mill grinds spelt and rye between two stones.',
  ],
  chess: [
    'White opens with the pawn and Black answers on the other wing.',
    'A rook on the seventh rank ties the king to the edge of the board.',
    'The knight forks king and queen from the centre.',
    'In the endgame the king walks to the front of his pawns.',
    'The arbiter stops the clock when a player calls a draw.',
    'A gambit gives a pawn for quick development.',
    'The bishop pair is strong in open positions.',
    'Castling brings the king to safety and the rook into play.',
    'The champion defended the title in fourteen games.',
    'Problems ask for mate in two moves against any defence.',
  ],
} as const;

const MOSS_HOSTS = ['bogs.example', 'bryology.example', 'forest-floor.example', 'peat.example', 'stone-walls.example', 'wet-rocks.example'];
const OTHER_HOSTS = {
  trams: ['tramways.example', 'depot.example'],
  bread: ['bakery.example', 'mill.example'],
  chess: ['chess-club.example'],
} as const;
const PAGES_A_HOST = 20;

interface Page {
  readonly url: string;
  readonly title: string;
  readonly sentences: readonly string[];
}

export interface TutorialWeb {
  readonly source: PageSource;
  /** Twenty pages about mosses, on five hosts. */
  readonly examples: readonly string[];
  readonly seeds: readonly string[];
  isMoss(url: string): boolean;
}

export function tutorialWeb(): TutorialWeb {
  const rng = seededRng(5);
  const mosses = MOSS_HOSTS.flatMap((host) => pagesOf(host, 'moss', MOSS, rng));
  const others = Object.entries(OTHER_HOSTS).flatMap(([subject, hosts]) =>
    hosts.flatMap((host) => pagesOf(host, subject, OTHERS[subject as keyof typeof OTHERS], rng)),
  );
  const hosts = new Map<string, Map<string, string>>();
  for (const page of [...mosses, ...others]) {
    const { host, pathname } = new URL(page.url);
    const pages = hosts.get(host) ?? new Map<string, string>();
    hosts.set(host, pages.set(pathname, htmlOf(page, linksOf(page, mosses, others, rng))));
  }
  return {
    source: virtualSource(hosts),
    examples: MOSS_HOSTS.slice(0, 5).flatMap((host) => [1, 2, 3, 4].map((page) => `http://${host}/moss-${page}`)),
    seeds: ['http://bogs.example/moss-0', 'http://depot.example/trams-0'],
    isMoss: (url) => url.includes('/moss-'),
  };
}

function pagesOf(host: string, subject: string, pool: readonly string[], rng: Rng): Page[] {
  return Array.from({ length: PAGES_A_HOST }, (_, i) => {
    const sentences = shuffled(pool, rng).slice(0, 7);
    return {
      url: `http://${host}/${subject}-${i}`,
      title: `${sentences[0]?.split(' ').slice(0, 4).join(' ')}, note ${i} on ${subject}`,
      sentences,
    };
  });
}

/** Three pages in four that a page links to are of its own kind. */
function linksOf(page: Page, mosses: readonly Page[], others: readonly Page[], rng: Rng): Page[] {
  const [own, foreign] = mosses.includes(page) ? [mosses, others] : [others, mosses];
  return [...shuffled(own, rng).slice(0, 6), ...shuffled(foreign, rng).slice(0, 2)];
}

function htmlOf({ title, sentences }: Page, links: readonly Page[]): string {
  const text = sentences.map((sentence) => `<p>${sentence}</p>`).join('\n');
  const list = links.map(({ url, title }) => `<p>See also <a href="${url}">${title}</a>.</p>`).join('\n');
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>\n${text}\n${list}</main></body></html>`;
}
