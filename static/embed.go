// Package static owns what the browser loads: the stylesheet, the scripts, the
// fonts and pictures. What build.mjs builds is committed, so that building the
// binary needs no Node.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"
	"sync"
)

//go:embed app.css js/*.js fonts/*.woff2 *.svg
var embedded embed.FS

// Prefix is the URL path under which the files are served.
const Prefix = "/static/"

// File is one file, ready to be sent.
type File struct {
	Content     []byte
	ContentType string
	Gzip        func() []byte // the content compressed, once; nil for what is compressed already
}

// files maps the hashed name ("app.1f0c9a52d3b4.css") to the file; names maps
// the plain name ("app.css") to the hashed one. Both are written once, in init.
var (
	files = map[string]File{}
	names = map[string]string{}
)

func init() {
	var sheets []string
	err := fs.WalkDir(embedded, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if path.Ext(name) == ".css" {
			sheets = append(sheets, name)
			return nil
		}
		content, err := embedded.ReadFile(name)
		add(name, content)
		return err
	})
	if err != nil {
		panic(fmt.Sprintf("read embedded files: %v", err))
	}
	// Stylesheets come last: they name fonts and pictures, which must be hashed by then.
	for _, name := range sheets {
		content, _ := embedded.ReadFile(name)
		for plain, hashed := range names {
			content = bytes.ReplaceAll(content, []byte("url("+plain+")"), []byte("url("+Prefix+hashed+")"))
		}
		add(name, content)
	}
}

func add(name string, content []byte) {
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	hashed := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	names[name] = hashed
	f := File{Content: content, ContentType: contentType(ext)}
	if ext != ".woff2" {
		f.Gzip = sync.OnceValue(func() []byte { return compress(content) })
	}
	files[hashed] = f
}

func compress(content []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("compress a file: %v", err)) // into memory: it can't fail
	}
	return b.Bytes()
}

// contentType knows our few kinds itself, because the machine's own list of
// types may know others or none.
func contentType(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	}
	return mime.TypeByExtension(ext)
}

// Path is the URL of a file by its plain name ("app.css", "js/app.js"). The URL
// holds a hash of the content, so what it serves never changes. An unknown name
// is a mistake in the program and panics.
func Path(name string) string {
	hashed, ok := names[name]
	if !ok {
		panic("static: no file " + name)
	}
	return Prefix + hashed
}

// Lookup finds a file by its URL path, as Path made it. Whoever serves it may
// let caches keep it for ever.
func Lookup(urlPath string) (File, bool) {
	f, ok := files[strings.TrimPrefix(urlPath, Prefix)]
	return f, ok && strings.HasPrefix(urlPath, Prefix)
}
