import { expect } from 'chai';
import { assertSupportedNode } from '../../../src/adapters/system/program.ts';

describe('The version of Node', () => {
  for (const version of ['22.14.0', '22.14.1', '22.23.0', '24.0.0', '26.10.0', '100.0.0'])
    it(`is accepted when it is ${version}`, () => {
      assertSupportedNode(version);
    });

  for (const version of ['20.20.2', '22.2.0', '22.9.0', '22.13.1', '9.99.0'])
    it(`is refused when it is ${version}, naming it and the one that is required`, () => {
      expect(() => assertSupportedNode(version)).to.throw(
        `Node 22.14 or later is required, and this is Node ${version}: install`,
      );
    });
});
