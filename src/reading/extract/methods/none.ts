import { plainDecision, visibleBlocks } from '../main-text.ts';
import type { TextMethod } from '../text-method.ts';

export const none = {
  name: 'none',
  help: 'all visible text',
  takesAll: true,
  decide: ({ blocks }) => plainDecision(visibleBlocks(blocks), 'visible', 'hidden'),
} as const satisfies TextMethod;
