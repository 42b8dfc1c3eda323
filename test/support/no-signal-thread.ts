/**
 * Commands that run in the process of a test start no thread for Ctrl-C: that takes 40 ms of a core, and nobody presses Ctrl-C here. Commands in a
 * process of their own have it.
 */
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/** A thread to which nothing ever comes. */
class SignalThread extends EventEmitter {
  constructor() {
    super();
    setImmediate(() => this.emit('message', 'ready'));
  }

  unref(): void {}

  async terminate(): Promise<number> {
    return 0;
  }
}

threads.Worker = new Proxy(threads.Worker, {
  construct: (target, args, of) =>
    String(args[0]).endsWith('/signal-thread.js') ? new SignalThread() : Reflect.construct(target, args, of),
});
syncBuiltinESMExports();
