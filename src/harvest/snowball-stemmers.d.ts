declare module 'snowball-stemmers' {
  const snowball: {
    /** @throws Error for an unknown algorithm */
    newStemmer(algorithm: string): { stem(word: string): string };
  };
  export default snowball;
}
