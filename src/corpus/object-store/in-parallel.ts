/** Ends when all that began have ended. After an error, none begins. @throws the first error of `work` */
export async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined && errors.length === 0; item = items[next++])
      await work(item).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (errors.length > 0) throw errors[0];
}
