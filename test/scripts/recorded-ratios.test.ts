import { expect } from 'chai';
import { findFallen, tolerance } from '../../bench/recorded.ts';
import type { Ratio } from '../../bench/result.ts';

const recorded = { 'list/bare': 0.2, 'list/fastify': 1.8, 'post/fastify': 0.6 };

const measured = (what: string, key: string, ratio: number): Ratio => ({
  key,
  what,
  against: key,
  by: 'CPU',
  rounds: [ratio],
});

const fallen = (...ratios: Ratio[]): string[] => [...findFallen({ ratios }, tolerance, recorded).keys()];

describe('Ratios of the benchmark beside recorded ones', () => {
  it('name a measurement that got slower than each of the other programs', () => {
    expect(fallen(measured('list', 'list/bare', 0.1), measured('list', 'list/fastify', 0.9))).to.deep.equal([
      'list/bare',
      'list/fastify',
    ]);
  });

  it('name a measurement that got slower than the only other program', () => {
    expect(fallen(measured('list', 'list/bare', 0.2), measured('POST', 'post/fastify', 0.3))).to.deep.equal([
      'post/fastify',
    ]);
  });

  it('name nothing when one of the other programs is faster than when it was recorded', () => {
    expect(fallen(measured('list', 'list/bare', 0.17), measured('list', 'list/fastify', 1))).to.deep.equal(
      [],
    );
  });

  it('leave out measurements without a recorded ratio', () => {
    expect(fallen(measured('webhooks', 'webhooks/none', 0.1))).to.deep.equal([]);
  });
});
