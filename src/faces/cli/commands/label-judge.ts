import { command } from '../define.ts';

export const labelJudgeCommand = command({
  name: 'label judge',
  groups: [
    ['The server', ['judgeUrl', 'judgeModel', 'judgeQuestion']],
    ['Limits', ['count', 'judgeCalls', 'judgeTokens', 'judgeTime']],
    ['Train', ['retrain', 'evenIfWorse', 'rngSeed']],
  ],
  positionals: ['dir'],
  summary: 'let a language model answer pages, and train the topic again',
  examples: [
    ['$0 label judge crawls/moss --judge-url http://localhost:11434/v1 --judge-model qwen2.5', 'a local model answers 300 pages'],
    ['$0 label judge crawls/moss --judge-model gpt-5-mini --count 50 --no-retrain', 'the server of OPENAI_BASE_URL; answers only stored'],
  ],
  run: async (options) => (await import('../runs/label-judge.ts')).runLabelJudge(options),
});
