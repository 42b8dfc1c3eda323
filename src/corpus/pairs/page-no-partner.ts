/** Reasons why a page has no partner. */

/** Each with its words for readers, which follow "the page has no partner: ". */
export const NO_PARTNER_WORDS = {
  'other-language': 'it is in neither of the two languages',
  'unknown-language': 'its language is neither declared nor detected',
  'other-region': 'it declares another region or script than the one that is asked for, or none',
  'empty-text': 'it has no main text',
  'partner-missing': 'no partner that it declares is in the corpus',
  'partner-other-language': 'the partner that it declares is in another language',
  'no-candidate':
    'no page of the other language has its URL pattern or rare numbers and names in common with it, or was found by a link of it that names the language',
  'too-unlike': 'the pages with something in common differ too much in numbers, names or lines',
  'partner-taken': 'its likeliest partner belongs to another page',
  'same-text': 'its likeliest partner has the same text, untranslated',
} as const satisfies Record<string, string>;

export type NoPartnerReason = keyof typeof NO_PARTNER_WORDS;
