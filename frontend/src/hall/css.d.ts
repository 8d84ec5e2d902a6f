// Stylesheets that esbuild bundles beside a script.
declare module "*.css";
