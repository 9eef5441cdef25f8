// Lucene over the same documents: BM25, EnglishAnalyzer. Prints the first ids for each form and query:
// form, tab, number of the query, tab, ids. Forms: one catch-all field, or MultiFieldQueryParser over the fields; words
// joined by OR, which is its default, or by AND.
// Usage: java -cp JARS Lucene.java DOCUMENTS.tsv QUERIES.tsv FIRST

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.MultiFieldQueryParser;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.queryparser.classic.QueryParserBase;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

public final class Lucene {
  private static final String[] FIELDS = {"title", "artist", "tags", "description", "category"};

  private static List<String[]> rows(String path) throws Exception {
    List<String[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(path), StandardCharsets.UTF_8)) {
      rows.add(line.split("\t", -1));
    }
    return rows;
  }

  public static void main(String[] parameters) throws Exception {
    EnglishAnalyzer analyzer = new EnglishAnalyzer();
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer).setSimilarity(new BM25Similarity()))) {
      for (String[] row : rows(parameters[0])) {
        Document document = new Document();
        document.add(new StringField("id", row[0], Field.Store.YES));
        document.add(new StringField("kind", row[1], Field.Store.NO));
        for (int i = 0; i < FIELDS.length; ++i) {
          document.add(new TextField(FIELDS[i], row[i + 2], Field.Store.NO));
          document.add(new TextField("all", row[i + 2], Field.Store.NO));
        }
        writer.addDocument(document);
      }
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(new BM25Similarity());
    int first = Integer.parseInt(parameters[2]);
    List<String[]> queries = rows(parameters[1]);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (QueryParser.Operator operator : QueryParser.Operator.values()) {
      for (boolean single : new boolean[] {true, false}) {
        QueryParser parser = single ? new QueryParser("all", analyzer) : new MultiFieldQueryParser(FIELDS, analyzer);
        parser.setDefaultOperator(operator);
        for (int i = 0; i < queries.size(); ++i) {
          String[] row = queries.get(i);
          BooleanQuery query = new BooleanQuery.Builder()
              .add(parser.parse(QueryParserBase.escape(row[1].toLowerCase())), BooleanClause.Occur.MUST)
              .add(new TermQuery(new Term("kind", row[0])), BooleanClause.Occur.FILTER)
              .build();
          StringBuilder ids = new StringBuilder();
          for (ScoreDoc hit : searcher.search(query, first).scoreDocs) {
            ids.append(ids.length() > 0 ? " " : "").append(searcher.doc(hit.doc).get("id"));
          }
          out.println((single ? "one field" : "fields") + " " + operator + "\t" + i + "\t" + ids);
        }
      }
    }
    out.flush();
  }
}
