"""Xapian over the same documents: its BM25 with its defaults, English stems and Lucene's stop words. Prints the first ids for
each form and query: form, tab, number of the query, tab, ids. Forms: one catch-all field, or any of the fields; words joined
by OR, which is its default, or by AND.
Usage: /usr/bin/python3 Xapian.py DOCUMENTS.tsv QUERIES.tsv FIRST DATABASE
"""

import sys

import xapian

FIELDS = {'title': 'S', 'artist': 'A', 'tags': 'K', 'description': 'B', 'category': 'XC'}  # Xapian's usual prefixes
STOP_WORDS = ('a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to '
              'was will with').split()
OPERATORS = {'OR': xapian.Query.OP_OR, 'AND': xapian.Query.OP_AND}
# Between two words these make a phrase, which would demand more than the other engines do.
APART = str.maketrans({mark: ' ' for mark in '-/\\.,:@'})


def rows(path):
    with open(path, encoding='utf-8', newline='\n') as lines:
        return [line.rstrip('\n').split('\t') for line in lines]


def index(documents, path):
    """Writes a database of the documents: each text with the prefix of its field, and without one."""
    database = xapian.WritableDatabase(path, xapian.DB_CREATE_OR_OVERWRITE | xapian.DB_NO_SYNC)
    generator = xapian.TermGenerator()
    generator.set_stemmer(xapian.Stem('en'))
    for number, kind, *texts in documents:
        document = xapian.Document()
        document.set_data(number)
        document.add_boolean_term('XKIND' + kind)
        generator.set_document(document)
        for prefix, text in zip(FIELDS.values(), texts):
            plain = text.translate(APART)
            generator.index_text_without_positions(plain, 1, prefix)
            generator.index_text_without_positions(plain)
        database.add_document(document)
    database.commit()
    return database


def parser_of(database, prefixes, operator):
    parser = xapian.QueryParser()
    parser.set_database(database)
    parser.set_stemmer(xapian.Stem('en'))
    parser.set_stemming_strategy(xapian.QueryParser.STEM_SOME)
    parser.set_default_op(operator)
    stopper = xapian.SimpleStopper()
    for word in STOP_WORDS:
        stopper.add(word)
    parser.set_stopper(stopper)
    for prefix in prefixes:
        parser.add_prefix('', prefix)
    return parser


def main(documents, queries, first, path):
    database = index(rows(documents), path)
    enquire = xapian.Enquire(database)
    enquire.set_weighting_scheme(xapian.BM25Weight())
    wanted = rows(queries)
    for form, prefixes in {'one field': [''], 'fields': FIELDS.values()}.items():
        for joint, operator in OPERATORS.items():
            parser = parser_of(database, prefixes, operator)
            for i, (kind, words) in enumerate(wanted):
                query = parser.parse_query(words.lower().translate(APART), 0)
                enquire.set_query(xapian.Query(xapian.Query.OP_FILTER, query, xapian.Query('XKIND' + kind)))
                ids = [match.document.get_data().decode() for match in enquire.get_mset(0, int(first))]
                print(f'{form} {joint}\t{i}\t{" ".join(ids)}')


main(*sys.argv[1:])
