/** Field rules: CSS selectors for fields, on pages of certain URLs. */
import * as z from 'zod';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { parseYamlFile } from '../../base/text/yaml-file.ts';
import { canonicalize } from '../../base/web/url.ts';

/** Selector of one field. */
export interface FieldSelector {
  readonly name: string;
  /** CSS. Of several elements, the first in document order counts. */
  readonly select: string;
  /** The attribute whose value is wanted; null for the text. */
  readonly attribute: string | null;
  /** A list of the values of all elements. */
  readonly all: boolean;
  /** File and line, for errors. */
  readonly where: string;
}

export interface FieldRule {
  /** A whole URL; `*` matches any characters, or none. */
  readonly url: string;
  readonly fields: readonly FieldSelector[];
}

const KIND = { keys: ['rules', 'url', 'fields', 'select', 'attribute', 'all'], remedy: 'mend the rule' } as const;

const fieldSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { select: value } : value),
  z.strictObject({
    select: z.string().trim().min(1, 'is empty; give a CSS selector'),
    attribute: z
      .string()
      .regex(/^[^\s"'<>/=]+$/, 'is not the name of an attribute')
      .optional(),
    all: z.boolean().optional(),
  }),
);
const NAME = /^[\p{L}][\p{L}\p{N}_.-]{0,63}$/u;
const rulesSchema = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        url: z.string().superRefine((pattern, context) => {
          const fault = faultOf(pattern);
          if (fault !== null) context.addIssue({ code: 'custom', message: fault });
        }),
        fields: z.record(
          z.string().regex(NAME, 'is not the name of a field; start with a letter, continue with letters, digits, _ . -, 64 at most'),
          fieldSchema,
        ),
      }),
    )
    .min(1, 'is empty; give at least one rule'),
});

/**
 * The rules of a YAML text, in its order.
 * @param file its name in errors
 * @throws DataError naming file, line and field. Selectors are not checked here: `FieldReader.open` does that.
 */
export function parseFieldRules(yaml: string, file: string): readonly FieldRule[] {
  const { data, whereOf } = parseYamlFile(yaml, file, rulesSchema, KIND);
  return data.rules.map(({ url, fields }, i) => ({
    url,
    fields: Object.entries(fields).map(([name, { select, attribute = null, all = false }]) => ({
      name,
      select,
      attribute,
      all,
      where: whereOf(['rules', i, 'fields', name]),
    })),
  }));
}

/** Does the pattern match the whole of `url`? O(url + pattern). */
export function fitsPattern(url: CanonicalUrl, pattern: string): boolean {
  const parts = pattern.split('*');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return url === pattern;
  if (url.length < first.length + last.length || !url.startsWith(first) || !url.endsWith(last)) return false;
  const end = url.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    at = url.indexOf(part, at);
    if (at < 0 || at + part.length > end) return false;
    at += part.length;
  }
  return true;
}

/** Reason why no canonical URL can match a pattern; null if one may. */
function faultOf(pattern: string): string | null {
  if (!/^(?:https?:\/\/|\*)/.test(pattern)) return `${pattern}: is not a pattern; begin it with https://, http:// or *`;
  if (pattern.startsWith('*')) return null;
  // One of these can replace a * in a host, a port, a path or a query.
  const samples = ['x', '1'].map((word) => canonicalize(pattern.replaceAll('*', word))?.replace(/\/$/, '') ?? null);
  const wanted = ['x', '1'].map((word) => pattern.replaceAll('*', word).replace(/\/$/, ''));
  if (samples.some((sample, i) => sample !== null && sample === wanted[i]) && /^[^/]*\/\/[^/]*[/*]/.test(pattern)) return null;
  const canonical = canonicalize(pattern);
  return `${pattern}: fits no URL as Forager writes them${canonical === null || canonical === pattern ? '' : `; ${canonical} may be meant`}`;
}
