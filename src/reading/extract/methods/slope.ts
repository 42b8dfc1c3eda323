import { slopeDecision } from '../main-text.ts';
import type { TextMethod } from '../text-method.ts';

export const slope = {
  name: 'slope',
  help: 'the slope of weighted tag density',
  decide({ blocks }) {
    const decision = slopeDecision(blocks);
    return { roles: decision.roles, rules: decision.rules, slope: decision, model: null };
  },
} as const satisfies TextMethod;
