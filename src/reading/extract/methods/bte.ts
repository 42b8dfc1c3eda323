import { bteBlocks, TagOffsets } from '../body-text-extraction.ts';
import { plainDecision } from '../main-text.ts';
import type { TextMethod } from '../text-method.ts';

export const bte = {
  name: 'bte',
  help: 'tag density as first published (Finn, Kushmerick, Smyth 2001)',
  detailed: false,
  decide(_content, html, parser) {
    const tags = new TagOffsets();
    return plainDecision(bteBlocks(parser.parse(html, tags), tags.offsets), 'densest', 'outside');
  },
} as const satisfies TextMethod;
