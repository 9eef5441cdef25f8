// The suite requests tools, resources and prompts of a fixture by name. If it only checks the form of an answer, they are replaced
// by this server's tools, resources and prompts of the same kind.

const TOOLS = {
  test_simple_text: { name: 'usage' },
  test_error_handling: { name: 'get_track', arguments: { track_id: 'nope-1' } },
};
const PROMPTS = {
  test_simple_prompt: () => ({ name: 'credit_project' }),
  test_prompt_with_arguments: ({ arg1, arg2 }) => ({ name: 'find_music', arguments: { scene: arg1, use: arg2 } }),
};

/** The text that the suite expects in a resource that it reads by the template. */
const TEMPLATE_VALUE = '123';

/** Creates a collection whose credits contain that value, and returns its id. */
export async function makeCollection(call) {
  const { collection_id } = await call('create_collection', { name: 'For a template' });
  await call('add_tracks', { collection_id, track_id: 'tb-201', modifications: { text: `cut after ${TEMPLATE_VALUE} seconds` } });
  return collection_id;
}

/** Replaces the names that a message requests by this server's. */
export function rewriterFor(collection) {
  const resources = {
    'test://static-text': 'tonearm://licenses',
    [`test://template/${TEMPLATE_VALUE}/data`]: `tonearm://collections/${collection}/credits`,
  };
  return (text) => {
    if (!text.startsWith('{')) return text;
    const message = JSON.parse(text);
    const { name, uri } = message.params ?? {};
    if (message.method === 'tools/call') Object.assign(message.params, TOOLS[name]);
    if (message.method === 'prompts/get') Object.assign(message.params, PROMPTS[name]?.(message.params.arguments));
    if (message.method === 'resources/read' && resources[uri]) message.params.uri = resources[uri];
    return JSON.stringify(message);
  };
}
