/** Facts about a crawl for the card of its corpus. They come from outside the corpus. */

import type { Bytes, IsoTime, ListsFollowed, Ms, StateName, Topic, Unit } from '../../base/core/types.ts';
import type { ExcludedPages } from '../../base/text/excluded-pages.ts';
import type { AgeFacts } from './age-facts.ts';
import type { CodingFacts } from './coding-facts.ts';
import type { BiasFacts, StabilityFacts } from './measured-facts.ts';
import type { RecallFacts } from './recall-facts.ts';

/** A share on topic, from answers to pages drawn at random, with its 95 % interval. */
export interface PrecisionFacts {
  readonly share: Unit;
  readonly low: Unit;
  readonly high: Unit;
  /** Number of answers `y` or `n` to randomly drawn pages that it rests on. */
  readonly answers: number;
  /** Number of pages that it describes, and those of them that count by an answer of their own. */
  readonly pages: number;
  readonly known: number;
  /** Absent if it describes all pages. Otherwise the time of the newest page that it describes, and the number of pages that the crawl read later. */
  readonly older?: { readonly until: IsoTime; readonly later: number };
}

/** The labels that people gave to the pages of a crawl. */
export interface LabelFacts {
  readonly yes: number;
  readonly no: number;
  /**
   * Number of answers `y` or `n` to randomly drawn pages: kept ones, and pages that were read and not kept; and the number of kept pages needed to
   * measure precision.
   */
  readonly drawn: { readonly kept: number; readonly leftOut: number; readonly needed: number };
  /** Share of on-topic pages among the kept pages; null while there are too few answers. */
  readonly precision: PrecisionFacts | null;
  /**
   * Precision of the kept pages that are on topic by the active model, which a harvest takes; null if the topic was not trained again, too.
   */
  readonly harvest: PrecisionFacts | null;
  /** The answers to randomly drawn pages: their first and last time, and the names of the people; null without such answers. */
  readonly given: { readonly first: IsoTime; readonly last: IsoTime; readonly people: readonly string[] } | null;
  /** All labels by the person or the program that gave them; null without a name. Absent on cards of Forager 0.2. */
  readonly labellers?: readonly LabellerFacts[];
  /** Agreement of the people who labelled. Absent unless two of them answered one page. */
  readonly coding?: CodingFacts;
}

export interface LabellerFacts {
  readonly name: string | null;
  readonly yes: number;
  readonly no: number;
  readonly first: IsoTime;
  readonly last: IsoTime;
}

/** One run of a crawl: its limits, and why it ended. */
export interface RunFacts {
  readonly startedAt: IsoTime;
  /** null if it was killed or is still running. */
  readonly endedAt: IsoTime | null;
  /** Total number of visits, earlier runs included; null without a limit. */
  readonly maxPages: number | null;
  /** Time limit of this run; null without a limit. */
  readonly maxTimeMs: Ms | null;
  /** null if it was killed or is still running. */
  readonly stopReason: string | null;
}

/** A seed that gave no page, with the reason. */
export interface SeedWithoutPage {
  readonly url: string;
  readonly state: 'refused' | 'failed' | 'waiting';
  readonly reason: string;
}

/** The examples of a topic model and its validation, from its model card. */
export interface TrainingFacts {
  readonly name: string;
  readonly modelId: string;
  readonly created: IsoTime;
  readonly method: string;
  /** SHA-256 of the training pages, hex. */
  readonly dataSha256: string;
  readonly examples: number;
  /** Pages that a person gave as irrelevant. */
  readonly irrelevant: number;
  readonly background: number;
  /** Most examples first. */
  readonly examplesByHost: readonly { readonly host: string; readonly examples: number }[];
  /** URLs of the examples, names of files for those without; the first thousand. Absent on cards of Forager 0.2, and without training data. */
  readonly exampleNames?: readonly string[];
  /** The subject, in the words of the user. Absent if they gave none. */
  readonly subject?: string;
  /** The strongest terms for and against the topic, as the model card has them. Absent on cards of Forager 0.2. */
  readonly terms?: { readonly for: readonly string[]; readonly against: readonly string[] };
  /** Quality on held-out pages; a figure is null if it was not measured. */
  readonly validation: {
    /** Unit in which pages were held out: `by-host`, `by-example` or `none`. */
    readonly folds: string;
    readonly pages: number;
    readonly averagePrecision: Unit | null;
    readonly precision: Unit | null;
    readonly recall: Unit | null;
  };
}

/** Conduct of the crawl towards hosts. */
export interface PolitenessFacts {
  /** URL or mail address that it sent with every request; null without one. */
  readonly contact: string | null;
  /** Least gap between two requests to a host. */
  readonly delay: Ms;
  /** The gap is also at least this multiple of the last response time. */
  readonly delayFactor: number;
}

/** The URLs that the crawl was allowed to visit, and the rules of its choice. */
export interface VisitRules {
  /** Empty: everywhere. */
  readonly scope: readonly string[];
  /** Hops from the nearest seed, visits to one host, and off-topic pages in a row; null without a limit. */
  readonly maxDepth: number | null;
  readonly maxPagesPerHost: number | null;
  readonly tunnel: number | null;
  /** Random visits at the start. */
  readonly warmUp: number;
  /** Longest wait for a host with a better URL; null: by the limits of each run. */
  readonly patience: Ms | null;
  readonly sitemaps: ListsFollowed;
  /** Were requests sent through a proxy? */
  readonly proxied: boolean;
}

/** The crawl, as its corpus card describes it. Comes from outside the corpus. */
export interface CrawlFacts {
  readonly topicName: string;
  /** Hash of the topic model. */
  readonly modelId: string;
  readonly threshold: Unit;
  /** All topics of a crawl with several, even if the corpus contains one of them. Absent for a crawl with one topic. */
  readonly topics?: readonly (Topic & Pick<LabelFacts, 'precision'>)[];
  /** The query of the first topic model of the crawl; null for a model from examples. */
  readonly query: string | null;
  /** The active model of each topic. Absent if no model card can be read. */
  readonly training?: readonly TrainingFacts[];
  readonly politeness?: PolitenessFacts;
  /** Absent for a merged corpus, and on cards of Forager 0.2, as are the next two. */
  readonly rules?: VisitRules;
  /** Options that differ from those of a new crawl, by their names on the command line. Absent as `rules` are. */
  readonly options?: Readonly<Record<string, string>>;
  /** Recall by pages known to be on topic. Absent if it was not measured. */
  readonly recall?: RecallFacts;
  /** Absent for a crawl without revisits, and in earlier versions. */
  readonly ages?: AgeFacts;
  /** Bias against a frame, and stability over runs. Absent if they were not measured. */
  readonly bias?: BiasFacts;
  readonly stability?: StabilityFacts;
  /** Refused URLs by the word of their reason, and failed ones by cause, e.g. `HTTP 404`; the most frequent first. */
  readonly refusals?: Readonly<Partial<Record<string, number>>>;
  readonly failures?: Readonly<Partial<Record<string, number>>>;
  /** Pages that only the NOT of a query or rule keeps off topic. Absent on cards of Forager 0.2. */
  readonly excludedByNot?: ExcludedPages;
  /** Wishes of persons about subtopics that held at the end. Absent without any. */
  readonly wishes?: readonly {
    readonly way: 'more' | 'none';
    readonly name: string;
    readonly at: string;
    readonly by?: string | undefined;
  }[];
  /** null if no page has a label. */
  readonly labels: LabelFacts | null;
  /** The first thousand. */
  readonly seeds: readonly string[];
  /** Seeds of `seeds` that gave no page, and whose redirects gave none. */
  readonly seedsWithoutPage: readonly SeedWithoutPage[];
  /** Number of seeds, if it is larger than the list. Otherwise absent. */
  readonly seedCount?: number;
  readonly strategy: string;
  /** Runs in their order. */
  readonly runs: readonly RunFacts[];
  /** URLs that cost a request: pages, redirects and failures. They count against `maxPages`. */
  readonly visited: number;
  /** Pages that were read and not kept, and that labels made on topic later: they wait for another visit. */
  readonly reopened: number;
  /** Requests for `tdmrep.json` files, which do not count as visits. */
  readonly reservationFiles: number;
  /** Limits of the last run; null without a limit. */
  readonly budget: { readonly pages: number | null; readonly ms: Ms | null; readonly bytes: Bytes | null };
  /** The reason why the crawl ended, as one word; `running` if it has not ended. */
  readonly stopReason: string;
  /** Number of discovered URLs by state. */
  readonly ledger: Readonly<Partial<Record<StateName, number>>>;
  /** Treatment of robots.txt by the crawl, e.g. `obey`. */
  readonly robots: string;
  readonly robotsRefusals: number;
  /** Name and version of the program that crawled. */
  readonly software: string;
  readonly userAgent: string;
}
