import { UsageError } from '../../src/base/core/errors.ts';
import type { Bytes, Unit } from '../../src/base/core/types.ts';

/** The knobs. All but `seed` have a default. */
export interface GeneratedWebOptions {
  readonly seed: number;
  /** Articles, hubs, near-duplicates and tunnel pages together; each host has a home and an about page besides. Default 2,000. */
  readonly pages?: number;
  /** Default 20. */
  readonly hosts?: number;
  /** Default 8. */
  readonly topics?: number;
  /** Relative size of each topic; default all alike. */
  readonly topicShares?: readonly number[];
  /** P(content link of an on-topic page leads to an on-topic page), for each topic. Default 0.6. */
  readonly locality?: Unit;
  /** Mean content links of an article, spread evenly over half to one and a half of it. Default 12. */
  readonly linksPerPage?: number;
  /** P(a link stays on its host), where the host has a fitting page. Default 0.5. */
  readonly sameHost?: Unit;
  /** P(a page lies on a host given to its topic, rather than on any host). Default 0.7. */
  readonly hostPurity?: Unit;
  /** Share of pages that are hubs: off topic themselves, with four times the links, nine of ten into one topic. Default 0.02. */
  readonly hubs?: Unit;
  /** On-topic islands, dealt to the topics in turn, each reached only through a chain of `depth` off-topic pages. Default none. */
  readonly tunnels?: { readonly islands: number; readonly size: number; readonly depth: number } | null;
  /** Amount of navigation, sidebar and footer: 0 none, 1 (default) about 10 links and 80 words, 2 twice that. */
  readonly boilerplate?: number;
  /** Share of pages that repeat another page with a few sentences changed. Default 0. */
  readonly nearDuplicates?: Unit;
  /** Add a host with an endless calendar, linked from one page in fifty. Default false. */
  readonly calendarTrap?: boolean;
  /** Add a shop whose list has a URL for every choice of a dozen facets in every order, linked from one page in fifty. Default false. */
  readonly facetTrap?: boolean;
  /** Add a forum of two dozen pages that links to them under new session ids for ever, linked from one page in fifty. Default false. */
  readonly sessionTrap?: boolean;
  /** P(anchor text carries the target's title rather than "click here"). Default 0.7. */
  readonly anchorQuality?: Unit;
  /** Share of an article's content words that are its topic's; it varies by half from page to page. Default 0.3. */
  readonly topicality?: Unit;
  /** Share of an article's content words that are other topics'. Default 0.05. */
  readonly confusion?: Unit;
  /** Pages are written until they have about this many bytes. Default 6,000. */
  readonly pageBytes?: Bytes;
}

export type Knobs = Required<GeneratedWebOptions>;

const DEFAULTS: Omit<Knobs, 'seed'> = {
  pages: 2000,
  hosts: 20,
  topics: 8,
  topicShares: [],
  locality: 0.6,
  linksPerPage: 12,
  sameHost: 0.5,
  hostPurity: 0.7,
  hubs: 0.02,
  tunnels: null,
  boilerplate: 1,
  nearDuplicates: 0,
  calendarTrap: false,
  facetTrap: false,
  sessionTrap: false,
  anchorQuality: 0.7,
  topicality: 0.3,
  confusion: 0.05,
  pageBytes: 6000,
};

const UNITS = ['locality', 'sameHost', 'hostPurity', 'hubs', 'nearDuplicates', 'anchorQuality', 'topicality', 'confusion'] as const;
/** Loopback addresses 127.0.1.1 to 127.0.250.250, three of them for the traps. */
const MAX_HOSTS = 250 * 250 - 3;

/** Options with defaults filled in. @throws UsageError for a value out of range. */
export function knobsOf(options: GeneratedWebOptions): Knobs {
  const knobs: Knobs = { ...DEFAULTS, ...options };
  for (const name of UNITS) demand(knobs[name] >= 0 && knobs[name] <= 1, `${name} ${knobs[name]} must be from 0 to 1`);
  const shares = knobs.topicShares.length;
  demand(isCount(knobs.topics) && knobs.topics >= 2 && knobs.topics <= 1000, `topics ${knobs.topics} must be from 2 to 1000`);
  demand(shares === 0 || shares === knobs.topics, `topicShares has ${shares} numbers for ${knobs.topics} topics`);
  demand(isCount(knobs.hosts) && knobs.hosts <= MAX_HOSTS, `hosts ${knobs.hosts} must be from 1 to ${MAX_HOSTS}`);
  demand(isCount(knobs.pages), `pages ${knobs.pages} must be a whole number above 0`);
  demand(
    knobs.linksPerPage >= 1 && knobs.pageBytes >= 0 && knobs.boilerplate >= 0,
    'linksPerPage must be at least 1, pageBytes and boilerplate at least 0',
  );
  demand(knobs.hubs + knobs.nearDuplicates <= 0.9, 'hubs and nearDuplicates together must leave a tenth of the pages to articles');
  const { tunnels } = knobs;
  demand(tunnels === null || [tunnels.islands, tunnels.size, tunnels.depth].every(isCount), 'tunnels need islands, size and depth above 0');
  demand(tunnelPages(knobs) <= knobs.pages / 2, `tunnels take ${tunnelPages(knobs)} pages, more than half of ${knobs.pages}`);
  return knobs;
}

/** Pages of all tunnels: chains and islands. */
export function tunnelPages({ tunnels }: Knobs): number {
  return tunnels === null ? 0 : tunnels.islands * (tunnels.size + tunnels.depth);
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}

function demand(condition: boolean, message: string): void {
  if (!condition) throw new UsageError(`generated web: ${message}`);
}
