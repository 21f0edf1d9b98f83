import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { BUNDLERS, createProject, SHIPPED } from './project.ts';
import type { Project } from './project.ts';

let catalog: CountingCatalog;
let project: Project;
beforeAll(async () => {
  [catalog, project] = await Promise.all([startCountingCatalog({ latency: 20 }), createProject()]);
});
afterAll(async () => {
  await project.remove();
  await catalog.close();
});

it('eight builds at the same time share one empty cache, and none harms another', async () => {
  const build = () =>
    Promise.all(BUNDLERS.map((bundler) => project.build(bundler, { cache: 'one', catalog })));
  const cold = await build();
  const failed = cold.filter(({ exitCode }) => exitCode !== 0).map(({ said }) => said);
  expect(failed).toEqual([]);
  const [first, ...others] = await Promise.all(BUNDLERS.map((bundler) => project.show(bundler)));
  expect(first?.credits.map(({ id }) => id).toSorted()).toEqual(SHIPPED);
  for (const { markup, data, credits, lazy } of others) {
    expect({ markup, data, credits, lazy: lazy.markup }).toEqual({
      markup: first?.markup,
      data: first?.data,
      credits: first?.credits,
      lazy: first?.lazy.markup,
    });
  }

  catalog.reset();
  const warm = await build();
  expect(catalog.calls).toEqual([]);
  expect(warm.map(({ output }) => output)).toEqual(cold.map(({ output }) => output));
}, 120_000);
