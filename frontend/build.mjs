// Bundles the scripts into the Python package, which serves them under names with their hash.
import { context, build } from "esbuild";
import { readdirSync } from "node:fs";

// Every file directly in src/ is a bundle of its own: src/site.ts is for all pages, others are for
// the pages that ask for them. What is shared between them lies in folders of src/.
const entries = readdirSync(new URL("src/", import.meta.url))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
  .map((name) => `src/${name}`);

const options = {
  absWorkingDir: import.meta.dirname,
  entryPoints: entries,
  outdir: "../src/arrocco/web/static/built",
  bundle: true,
  format: "esm",
  target: ["es2022"],
  minify: true,
  legalComments: "linked",
  loader: { ".woff2": "file" },
  assetNames: "[name]-[hash]",
  logLevel: "info",
};

if (process.argv.includes("--watch")) {
  await (await context(options)).watch();
} else {
  await build(options);
}
