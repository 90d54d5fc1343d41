# ./paika web: builds the web app into web/dist, which the server then shows; ./paika alone does so too.
. "$root/tools/web_build.sh"
build_web || exit 3
say "ready: $root/web/dist"
