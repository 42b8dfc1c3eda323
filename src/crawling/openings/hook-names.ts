/** The hooks of a crawl: the argument of each, and its possible results. */
import * as z from 'zod';
import type { CanonicalUrl, CrawlRecord, PageFields, PageMetadata, Unit } from '../../base/core/types.ts';
import { FIELD_NAME, FIELD_VALUE, OWN_FIELDS } from '../fetch/request-fields.ts';

/** Names of the functions that a module of hooks may export. */
export const HOOK_NAMES = ['beforeFetch', 'afterRead', 'onLinks', 'beforeKeep', 'onKept'] as const;
export type HookName = (typeof HOOK_NAMES)[number];

/** A link as `onLinks` gets it. */
export interface HookLink {
  readonly url: CanonicalUrl;
  readonly anchorText: string;
  readonly context: string;
}

/** The one argument of each hook. */
export interface HookArguments {
  /** `referrer` is null for a seed. */
  readonly beforeFetch: { readonly url: CanonicalUrl; readonly depth: number; readonly referrer: CanonicalUrl | null };
  /** `markup` is the HTML of the page, '' for a document of another kind. */
  readonly afterRead: {
    readonly url: CanonicalUrl;
    readonly title: string;
    readonly text: string;
    readonly lang: string | null;
    readonly markup: string;
    readonly metadata: PageMetadata;
    readonly fields: PageFields;
    readonly links: readonly HookLink[];
    readonly relevance: Unit;
  };
  readonly onLinks: { readonly url: CanonicalUrl; readonly links: readonly HookLink[] };
  readonly beforeKeep: Omit<CrawlRecord, 'votes'>;
  readonly onKept: Omit<CrawlRecord, 'votes'>;
}

/** A reason in the ledger has one line. */
export const word = z
  .string()
  .max(10_000)
  .transform((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200))
  .refine((text) => text !== '', 'is empty');
export const weight = z.number().min(0).max(1);
const tags = z.array(z.string().trim().min(1).max(200)).max(100);
const fields = z.record(
  z
    .string()
    .regex(
      /^\p{L}[\p{L}\p{N}_.-]{0,63}$/u,
      'is not the name of a field; start with a letter, continue with letters, digits, _ . -, 64 at most',
    ),
  z.union([z.string().max(100_000), z.array(z.string().max(100_000)).max(1000)]),
);
/** Secrets belong to the file of `--hosts`, whose values are not stored. */
const SECRET = new Set(['authorization', 'cookie']);
const headers = z.record(
  z
    .string()
    .regex(FIELD_NAME, 'is not the name of a header field')
    .refine((name) => !OWN_FIELDS.has(name.toLowerCase()), 'is a field that the crawler sets itself')
    .refine((name) => !SECRET.has(name.toLowerCase()), 'is a secret, which belongs to the file of --hosts'),
  z.string().max(4000).regex(FIELD_VALUE, 'cannot be sent in an HTTP header'),
);
const drop = z.strictObject({ drop: word });
/** More links than the largest page of a crawl keeps. */
const MOST_LINKS = 20_000;
const link = z.object({
  url: z.string(),
  anchorText: z.string().max(10_000).optional(),
  weight: weight.optional(),
});
/** 16 MB of text are more than the crawl reads of a page. */
const longText = z.string().max(2 ** 24);

/** Results by hook. null, which stands for undefined too: the hook changes nothing. */
export const HOOK_RESULTS = {
  beforeFetch: z.union([z.literal('go'), z.strictObject({ refuse: word }), z.strictObject({ headers })]).nullable(),
  afterRead: z
    .strictObject({
      fields: fields.optional(),
      tags: tags.optional(),
      relevance: weight.optional(),
      because: word.optional(),
      drop: word.optional(),
    })
    .nullable(),
  onLinks: z.array(link).max(MOST_LINKS).nullable(),
  beforeKeep: z
    .union([
      drop,
      z.object({
        title: z.string().max(10_000),
        text: longText,
        otherText: longText.optional(),
        lang: z.string().max(100).nullable(),
        fields,
        tags: tags.optional(),
      }),
    ])
    .nullable(),
  /** Any result: it has no meaning. */
  onKept: z.unknown(),
} as const satisfies Record<HookName, z.ZodType>;

export type HookResult<Name extends HookName> = z.infer<(typeof HOOK_RESULTS)[Name]>;
