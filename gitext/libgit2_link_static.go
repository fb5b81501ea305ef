//go:build static

package gitext

// #cgo pkg-config: libgit2 --static
import "C"
