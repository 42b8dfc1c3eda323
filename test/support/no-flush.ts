/**
 * Files need not survive a cut of power in the middle of a test: a flush waits for the disk, some ten milliseconds a time. What is flushed when has
 * tests in processes of their own (vitest.config.ts).
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.fsyncSync = () => undefined;
syncBuiltinESMExports();
