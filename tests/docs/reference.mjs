// Writes the API reference page from a server's /openapi.json, which is made from the table of routes.

const cell = (text) => String(text ?? '').replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ').trim();

/** Describes a schema in a word or two. */
function formOf(schema = {}) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'array') return `array of ${formOf(schema.items)}`;
  return [schema.type ?? ''].flat().join(' or ');
}

function operation(method, path, { summary, description, parameters = [], requestBody, responses }) {
  const lines = [`## ${method.toUpperCase()} ${path}`, '', cell(summary ?? description), ''];
  if (parameters.length > 0) {
    lines.push('| parameter | in | takes | |', '|---|---|---|---|');
    for (const one of parameters) {
      const needed = one.required ? 'required. ' : '';
      lines.push(`| \`${one.name}\` | ${one.in} | ${cell(formOf(one.schema))} | ${needed}${cell(one.description)} |`);
    }
    lines.push('');
  }
  const body = requestBody?.content?.['application/json']?.schema;
  if (body) {
    lines.push(`Body: ${Object.keys(body.properties ?? {}).map((name) => `\`${name}\``).join(', ') || formOf(body)}.`, '');
  }
  lines.push(`Statuses: ${Object.keys(responses).join(', ')}.`, '');
  return lines.join('\n');
}

/** Returns the page. REQUIRES: references of parameters are resolved in the description. */
export function referencePage(description) {
  const follow = (one) => (one.$ref ? one.$ref.slice(2).split('/').reduce((at, name) => at[name], description) : one);
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
      .map(([method, one]) => operation(method, path, { ...one, parameters: (one.parameters ?? []).map(follow) })));
  return ['# Reference', '',
    'Written from `GET /openapi.json`, which a server makes of its table of routes; `./test docs` compares the two. After a change of the table,',
    '`TONEARM_RECORD=1` before the test writes the page. Fields of answers are described in `/openapi.json`.', '', ...operations].join('\n');
}

/** The parts of an answer, which the page chooses itself. */
const PARTS = ['limit', 'cursor', 'fields', 'facets'];

/** The module of the site with the parameters that choose and order tracks. */
export function parametersModule({ paths }) {
  const names = paths['/v1/search'].get.parameters.map(({ name }) => name).filter((name) => name && !PARTS.includes(name));
  const lines = [];
  for (let at = 0; at < names.length; at += 8) lines.push(`  ${names.slice(at, at + 8).map((name) => `'${name}'`).join(', ')},`);
  return `// The parameters of GET /v1/search that choose and order tracks. Generated from the OpenAPI description (tests/docs).

export const PARAMETERS: readonly string[] = [
${lines.join('\n')}
];
`;
}
