import { itKeepsThePromises } from './changed-declarations.ts';

describe('Declared attributes, whose file changes between two starts on SQLite,', () => {
  itKeepsThePromises(() => ({}));
});
