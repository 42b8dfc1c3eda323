import { command } from '../define.ts';

export const signKeyCommand = command({
  name: 'sign-key',
  positionals: [],
  summary: 'make a key that signs requests, and print the directory to publish',
  examples: [
    [
      '$0 sign-key --out forager.key > http-message-signatures-directory',
      'a new key, and the file for the folder .well-known of your host',
    ],
    ['$0 crawl crawls/moss --sign-key forager.key --sign-agent https://crawler.example.org', 'a crawl that signs with it'],
  ],
  run: async (options) => (await import('../runs/sign-key.ts')).runSignKey(options),
});
