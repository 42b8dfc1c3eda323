import { AUDITED } from '../../../crawling/settings/commands.ts';
import { command } from '../define.ts';

export const labelCommand = command({
  name: 'label',
  groups: [
    ['Which pages to ask about', ['count', 'newHosts', 'name', 'top', 'topicName']],
    ['Train', ['every', 'retrain', 'evenIfWorse', 'rngSeed']],
  ],
  positionals: ['dir'],
  summary: 'label pages of a crawl, and train its topic again',
  examples: [
    ['$0 label crawls/moss --count 30', 'answer y, n, s(kip), u(ndo) or q(uit) with one key each'],
    ["printf 'y\\nn\\nq\\n' | $0 label crawls/moss", 'answers from a pipe, one a line'],
    ['$0 label crawls/bog --topic-name peat', 'label one topic of a crawl of several'],
    ['$0 label crawls/moss --no-retrain', 'store the answers only'],
  ],
  run: async (options) => (await import('../runs/label.ts')).runLabel(options),
});

export const labelAuditCommand = command({
  name: 'label audit',
  positionals: ['dir'],
  summary: 'measure the precision of a crawl with kept pages drawn at random, and train nothing',
  examples: [
    ['$0 label audit crawls/moss', `answer y or n for ${AUDITED} pages, and see the precision with its interval`],
    ['$0 label audit crawls/moss --count 100', 'draw so many more, for a narrower interval'],
  ],
  run: async (options) => (await import('../runs/label.ts')).runAudit(options),
});
