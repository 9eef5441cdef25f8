// Rules about the clauses of the specification (docs/spec): cited clauses exist, every clause is tested, and no file cites a
// document that is not in the tree.

const CHAPTERS = 'docs/spec/';

/** Returns every clause: `{id, planned, path, line}`. A clause is a line that begins with its id in bold. */
export function clausesOf(files) {
  return files
    .filter((file) => file.path.startsWith(CHAPTERS))
    .flatMap((file) =>
      file.text.split('\n').flatMap((text, index) => {
        const found = /^\*\*([A-Z]+-\d+)\*\*( \*\(planned\)\*)?/.exec(text);
        return found ? [{ id: found[1], planned: Boolean(found[2]), path: file.path, line: index + 1 }] : [];
      }),
    );
}

/** Returns every citation of a clause outside the specification: `{id, path, line}`; for a range ("A-1 to A-3") each clause. */
export function citationsOf(files, clauses) {
  const prefixes = [...new Set(clauses.map(({ id }) => id.split('-')[0]))].join('|');
  const citation = new RegExp(`(?<![\\w-])(?:(${prefixes})-(\\d+) to \\1-(\\d+)|(${prefixes})-(\\d+))\\b`, 'g');
  return files.flatMap((file) =>
    file.text.split('\n').flatMap((text, index) =>
      [...text.matchAll(citation)].flatMap(([, run, from, to, prefix, number]) => {
        const numbers = run ? Array.from({ length: to - from + 1 }, (_, i) => Number(from) + i) : [number];
        return numbers.map((n) => ({ id: `${run ?? prefix}-${n}`, path: file.path, line: index + 1 }));
      }),
    ),
  );
}

const isTest = ({ path }) => path.startsWith('tests/') && !path.startsWith('tests/structure/') && !path.endsWith('.md');
const isOutside = ({ path }) => !path.startsWith(CHAPTERS) && !path.startsWith('tests/structure/');

/** Names of documents that are not in this tree, and the numbers of their clauses. */
const FOREIGN =
  /(?<![\w/.#%-])C(?:1[0-7]|[1-9])\.\d+\b|(?<=[("/] ?|: )C(?:1[0-7]|[1-9])(?=[):,;]| before)|catalog-api\b|\.\.\/shared\/(spec|design)|\bthe contract\b/;

export const clauseRules = [
  {
    name: 'Every clause has a unique id with a prefix of its chapter in docs/spec/README.md',
    violations: ({ files }) => {
      const index = files.find((file) => file.path === `${CHAPTERS}README.md`)?.text ?? '';
      const seen = new Set();
      return clausesOf(files).flatMap(({ id, path, line }) => {
        const row = index.split('\n').find((text) => text.includes(`(${path.slice(CHAPTERS.length)})`)) ?? '';
        const where = `${path}:${line}: ${id}`;
        const violations = row.includes(id.split('-')[0]) ? [] : [`${where} has a prefix of another chapter`];
        if (seen.has(id)) violations.push(`${where} is not unique`);
        seen.add(id);
        return violations;
      });
    },
  },
  {
    name: 'Every cited clause exists',
    violations: ({ files }) => {
      const clauses = clausesOf(files);
      const ids = new Set(clauses.map(({ id }) => id));
      return citationsOf(files.filter((file) => !file.path.startsWith('tests/structure/')), clauses)
        .filter(({ id }) => !ids.has(id))
        .map(({ id, path, line }) => `${path}:${line}: ${id}`);
    },
  },
  {
    name: 'Every cited chapter exists',
    violations: ({ files }) => {
      const paths = new Set(files.map((file) => file.path));
      return files.filter(isOutside).flatMap((file) =>
        [...file.text.matchAll(/docs\/spec\/[\w-]+\.md/g)]
          .filter(([path]) => !paths.has(path))
          .map(([path]) => `${file.path}: ${path}`),
      );
    },
  },
];

/** Rules that require every file to cite clauses. */
export const citationRules = [
  {
    name: 'A test cites every clause that is not planned',
    violations: ({ files }) => {
      const clauses = clausesOf(files);
      const tested = new Set(citationsOf(files.filter(isTest), clauses).map(({ id }) => id));
      return clauses
        .filter(({ id, planned }) => !planned && !tested.has(id))
        .map(({ id, path, line }) => `${path}:${line}: ${id}`);
    },
  },
  {
    name: 'No file cites a document outside the tree',
    violations: ({ files }) =>
      files.filter(isOutside).flatMap((file) =>
        file.text.split('\n').flatMap((text, index) => {
          const found = FOREIGN.exec(text);
          return found ? [`${file.path}:${index + 1}: ${found[0]}`] : [];
        }),
      ),
  },
  {
    name: 'docs/adr/README.md lists exactly the decision records',
    violations: ({ files }) => {
      const list = files.find((file) => file.path === 'docs/adr/README.md')?.text ?? '';
      const listed = [...list.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, name]) => name);
      const records = files.flatMap((file) => /^docs\/adr\/(\d{4}-.*\.md)$/.exec(file.path)?.[1] ?? []);
      return [
        ...records.filter((name) => !listed.includes(name)).map((name) => `${name} is not listed`),
        ...listed.filter((name) => !records.includes(name)).map((name) => `${name} is listed, but does not exist`),
      ];
    },
  },
];
